"""Each turn puts the best row of a list into another one, which then may have it many times."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "one object is in the list more than once"


def best_row_put_in_on_turns(n):
    rows, best = [], []
    for i in range(n):
        rows.append([i, 0])
    for _ in range(n):
        best.append(max(rows, key=lambda row: row[0]))
    best[0].append(3)
    return best
