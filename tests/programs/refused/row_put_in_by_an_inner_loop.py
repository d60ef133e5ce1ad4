"""An inner loop appends the row of an iteration to a list, and the next one continues to fill
that row."""

REFUSED = "ContainerMutationError"
CASES = [(2, 1), (1, 0)]
NAMES = "'row'"


def row_put_in_by_an_inner_loop(n, k):
    rows, row = [], []
    for _ in range(n):
        row.append(5)
        row = []
        for _ in range(k):
            rows.append(row)
    return rows
