"""A row is assigned to another place of its list: a change there changes both."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]


def row_put_in_two_places(n):
    rows = [[3], [1], [2]]
    rows[n] = rows[0]
    rows[n].append(10)
    return rows
