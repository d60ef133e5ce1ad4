"""Rows are parted by comparisons, which might overlap, and joined again; then all are changed."""

REFUSED = "ContainerMutationError"
CASES = [(3,), (0,), (4,)]
NAMES = "one object is in the list more than once"


def rows_parted_and_joined(n):
    rows = []
    for k in range(n):
        rows.append([k])
    small = [row for row in rows if row[0] < 2]
    large = [row for row in rows if row[0] >= 1]
    rows = large + small
    for row in rows:
        row.append(n)
    return rows
