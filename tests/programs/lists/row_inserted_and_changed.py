"""A row is inserted where a tensor says, and changed by its own name."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (2,)]


def row_inserted_and_changed(n):
    rows, row = [[3], [1]], [9]
    rows.insert(n, row)
    row.append(2)
    return rows, row
