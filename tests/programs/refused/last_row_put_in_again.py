"""An iteration pops the last row of a list, the next one appends it again; then all are changed."""

REFUSED = "ContainerMutationError"
CASES = [(2, 1), (1, 0)]
NAMES = "one object is in the list more than once"


def last_row_put_in_again(n, k):
    rows, row = [], []
    for i in range(n):
        rows.append(row)
        row = [i, k]
        if rows:
            row = rows[-1]
    for each in rows:
        each.append(7)
    return rows
