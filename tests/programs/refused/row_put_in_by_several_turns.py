"""Turns of a loop put one row into a list until another is begun, and it is changed after that."""

REFUSED = "ContainerMutationError"
CASES = [(4,), (1,)]
NAMES = "one object is in the list more than once"


def row_put_in_by_several_turns(n):
    rows, row = [], [0]
    for i in range(n):
        if i % 3 == 0:
            row = [i]
        rows.append(row)
    if n > 1:
        rows[0].append(5)
    return rows
