"""Rows that a comprehension keeps are changed: by a loop over them, and by their place."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (2,), (5,)]


def kept_rows_change_alone(n):
    rows = [[i] for i in range(n)]
    odd = [row for row in rows if row[0] % 2]
    for row in odd:
        row.append(n)
    if odd:
        odd[0].append(7)
        odd[-1][0] += 1
    return odd
