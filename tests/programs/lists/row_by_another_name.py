"""A row has a name of its own while it is changed, and is looked at in the list."""

STAGES = ("while_loop", "cond")
CASES = [(0, 5), (2, 5), (2, 0), (0, 1)]


def row_by_another_name(i, limit):
    rows = [[1], [2, 3], [4]]
    row = rows[i]
    for k in range(limit):
        if k % 2 == 0:
            row.append(k)
        else:
            row[0] = k
    return rows, row, len(rows[i])
