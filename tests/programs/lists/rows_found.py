"""Rows are found in a list of rows, of which the graph alone knows how long they are."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def rows_found(n):
    rows = [[0] * i for i in range(n)]
    found = [] in rows, [0] in rows, rows.count([]), rows == [[], [0], [0, 0]]
    if [0] in rows:
        rows.remove([0])
    return found, len(rows)
