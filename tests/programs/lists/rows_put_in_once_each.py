"""Rows of a list put into others once each, in whatever order, can be changed there."""

STAGES = ("while_loop",)
CASES = [(0, 1), (1, 0), (2, 0), (3, 2)]


def rows_made(n):
    rows = []
    for i in range(n):
        rows.append([i, 0])
    return rows


def rows_put_in_once_each(n, k):
    back, early, shifted, total = [], [], [[k]], 0
    for row in reversed(rows_made(n)):
        back.append(row)
    rows = rows_made(n)
    for i, _ in enumerate(rows):
        shifted.append(rows[n - 1 - i])
        fresh = [list(row) for row in early]
        early.append(rows_made(n)[i])
        fresh.append([i])
        fresh[-1].append(k)
        total += len(fresh[0])
    for each in (back, early, shifted):
        if each:
            each[k % len(each)].append(3)
    return back, early, shifted, total
