"""A row becomes a part of a list whose beginning a tensor says, and changes."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (1,)]


def rows_assigned_as_a_slice(n):
    rows, row = [[3], [1]], [9]
    rows[n:] = [row]
    row.append(2)
    return rows
