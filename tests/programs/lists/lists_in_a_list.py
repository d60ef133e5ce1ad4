"""A list of lists of different lengths."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def lists_in_a_list(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(j)
        rows.append(row)
    return rows
