"""A row is appended to a list and grows in the next iteration: Python grows it in the list, too."""

REFUSED = "ContainerMutationError"
NAMES = "'row'"
CASES = [(0,), (3,)]


def row_carried_to_the_next_iteration(n):
    rows = []
    row = [0]
    for i in range(n):
        if i > 1:
            row = [i]
        rows.append(row)
        row.append(i)
    return rows
