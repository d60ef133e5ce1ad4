"""A list that grows has the same row again and again; the row is changed through it."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (3,)]


def row_reached_through_a_grown_list(n):
    row, rows = {"x": 1, "y": 0}, []
    for i in range(n):
        for each in rows:
            each["x"] += 7
        if i > 0:
            rows[0].update(y=i)
        rows.append(row)
    return row, rows
