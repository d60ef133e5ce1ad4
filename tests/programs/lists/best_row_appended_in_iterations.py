"""Each iteration appends the best row of a list to another one, which may then have it many
times."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "one object is in the list more than once"


def best_row_appended_in_iterations(n):
    rows, best = [], []
    for i in range(n):
        rows.append([i, 0])
    for _ in range(n):
        best.append(max(rows, key=lambda row: row[0]))
    best[0].append(3)
    return best
