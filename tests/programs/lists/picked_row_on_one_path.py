"""A list has a row of another one on one path, and is changed where only the graph knows."""

REFUSED = "ContainerMutationError"
CASES = [(1, 0), (3, 1)]
NAMES = "an item of a list"


def picked_row_on_one_path(n, k):
    rows, other = [], [[5]]
    for i in range(n):
        rows.append([i, 0])
    if n < 2:
        other[-1] = rows[n % len(rows)]
    other[k % len(other)][0] += 9
    return rows, other
