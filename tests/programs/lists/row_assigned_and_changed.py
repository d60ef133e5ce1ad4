"""A row is put where a tensor says, and changed by its own name."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (1,)]


def row_assigned_and_changed(n):
    rows, row = [[3], [1]], [9]
    rows[n] = row
    row.append(2)
    return rows, row
