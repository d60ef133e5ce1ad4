"""A row is changed when others have moved: where it stands now is not known."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (2,)]


def row_after_another_was_inserted(i):
    rows = [[1], [2], [3]]
    row = rows[i]
    rows.insert(0, [5])
    row.append(7)
    return rows
