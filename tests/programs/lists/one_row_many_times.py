"""One list is every row of another and goes on growing: all rows are that list."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def one_row_many_times(n):
    row = [0]
    rows = []
    for i in range(n):
        row.append(i)
        rows.append(row)
    return rows
