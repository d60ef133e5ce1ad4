"""A row is put where a tensor says and changed there; its own name shows its old items."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (1,)]


def row_assigned_and_found_again(n):
    rows, row = [[0, 0], [0, 0]], [1, 2]
    rows[n] = row
    rows[n][n] = 9
    return row
