"""Rows change places, by indices that tensors compute, and are changed where they are then."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (2,)]


def rows_swapped_and_changed(n):
    rows = [[3, 0], [1, 0], [2, 0]]
    for i in range(n):
        rows[i], rows[i + 1] = rows[i + 1], rows[i]
        rows[i][1] = i + 5
        rows[i + 1][1] += 1
    return rows
