"""Rows are parted by a comparison and joined again, and then all are changed."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (3,), (4,)]


def rows_parted_and_joined(n):
    rows = []
    for k in range(n):
        rows.append([k])
    small = [row for row in rows if row[0] < 2]
    large = [row for row in rows if row[0] >= 2]
    rows = large + small
    for row in rows:
        row.append(n)
    return rows
