"""A comprehension makes rows of its own: those it was made of may change afterwards."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def rows_made_of_rows(n):
    rows = []
    for k in range(n):
        rows.append([k, 0])
    made = [[row[0] + 1] for row in rows]
    for row in rows:
        row.append(9)
    return rows, made
