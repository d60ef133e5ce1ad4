"""The row that `next` finds by a tensor is the list's own: it cannot be changed beside it."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]


def first_row_that_fits_changes(n):
    rows = [[1], [2]]
    next(row for row in rows if row[0] >= n).append(7)
    return rows
