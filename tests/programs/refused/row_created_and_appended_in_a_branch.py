"""A branch creates a row and appends it to a list; the row of either path is changed after it."""

REFUSED = "ContainerMutationError"
CASES = [(2, 1), (1, 0)]
NAMES = "an item of a list"


def row_created_and_appended_in_a_branch(n, k):
    rows, row = [[9]], []
    if n > 1:
        row = [k]
        rows.append(row)
    row.append(5)
    return rows, row
