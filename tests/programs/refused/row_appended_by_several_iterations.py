"""Iterations append one row to a list until another is created; then it is changed."""

REFUSED = "ContainerMutationError"
CASES = [(4,), (1,)]
NAMES = "one object is in the list more than once"


def row_appended_by_several_iterations(n):
    rows, row = [], [0]
    for i in range(n):
        if i % 3 == 0:
            row = [i]
        rows.append(row)
    if n > 1:
        rows[0].append(5)
    return rows
