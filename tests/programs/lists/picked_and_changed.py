"""A list picked out of a list by a tensor is changed, and is the one in the list."""

STAGES = ()
CASES = [(0,), (1,)]


def picked_and_changed(i):
    rows = [[1], [2]]
    row = rows[i]
    row.append(3)
    return rows
