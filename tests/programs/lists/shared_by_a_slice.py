"""A slice of a list has the same rows: one is changed in the list, and read in the slice."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (2,)]


def shared_by_a_slice(n):
    rows = []
    for i in range(n + 1):
        rows.append([i])
    part = rows[:]
    rows[n][0] = 7
    return part
