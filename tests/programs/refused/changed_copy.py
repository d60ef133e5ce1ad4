"""A list picked out of a list by a tensor is changed alone."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (1,)]


def changed_copy(i):
    rows = [[1], [2]]
    row = rows[i]
    row.append(3)
    return rows
