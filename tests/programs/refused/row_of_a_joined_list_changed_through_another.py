"""The only row of a list that two paths join is changed through a variable that may be the row."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (1,), (3,)]
NAMES = "row"


def row_of_a_joined_list_changed_through_another(n):
    rows, row = [], []
    rows.append(row)
    if n > 2:
        rows = []
    else:
        if n == 0:
            row = row + [n]
    row.append(8)
    return rows == [[8]], row
