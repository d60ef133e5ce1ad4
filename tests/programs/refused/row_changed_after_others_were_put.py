"""A row is put into a list, then others in a loop of their own, and the row is changed after it."""

REFUSED = "ContainerMutationError"
CASES = [(3,), (0,)]
NAMES = "'rows'"


def row_changed_after_others_were_put(n):
    rows = []
    for i in range(n):
        row = [i]
        rows.append(row)
        for j in range(i):
            rows.append([j])
        row.append(0)
    return rows
