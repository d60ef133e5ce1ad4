"""The row put into a list last is changed after the loop: Python changes it in the list, too."""

REFUSED = "ContainerMutationError"
NAMES = "is an item of a list"
CASES = [(2,), (3,)]


def last_row_changed(n):
    rows = []
    row = [7]
    for i in range(n):
        row = [i]
        rows.append(row)
    row.append(5)
    return rows
