"""Each iteration creates a list, of which a row is kept and changed in the last iteration."""

REFUSED = "ContainerMutationError"
CASES = [(1, 0), (3, 2)]
NAMES = "an item of a list"


def row_of_the_last_iteration_changed(n, k):
    kept, rows = [[0]], [[1], [2]]
    for _ in range(n):
        rows = [list(row) for row in rows]
        kept[0] = rows[n % len(rows)]
    rows.pop(0)
    rows[k % len(rows)].append(6)
    return kept
