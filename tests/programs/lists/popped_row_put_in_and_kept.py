"""A row goes out of one list and into another, and its own name still stands for it."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def popped_row_put_in_and_kept(n):
    rows, row = [[5]], [9]
    for i in range(n):
        rows.append([i])
    first = rows.pop(0)
    rows.append(first)
    first.append(n)
    rows.append(row)
    return rows, first, row
