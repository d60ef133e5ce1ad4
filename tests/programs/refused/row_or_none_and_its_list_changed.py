"""A row that is None on one path is in a list on the other, and is changed through that."""

REFUSED = "ContainerMutationError"
CASES = [(3,), (0,)]
NAMES = "an item of a list"


def row_or_none_and_its_list_changed(n):
    rows, row = [], None
    if n > 0:
        row = [n]
        rows.append(row)
        for i in range(n):
            rows.append([i])
        rows[0].append(0)
    return rows, row
