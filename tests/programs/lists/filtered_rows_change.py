"""Rows that a comprehension keeps by a tensor are the rows of the list: they cannot be changed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]
NAMES = "an item of a list"


def filtered_rows_change(n):
    rows = [[1], [2], [3]]
    for row in [row for row in rows if row[0] > n]:
        row.append(9)
    return rows
