"""Each iteration changes a row of its own and keeps it; a last one is copied and then changed."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def rows_kept_as_they_change(n):
    rows, kept = [[7]], []
    for i in range(n):
        rows.append([i])
    for i in range(n):
        rows[i].append(n)
        kept.append(rows[i])
    total = sum([len(row) for row in kept])
    last = rows[-1]
    rows.append(list(last))
    last.append(6)
    return rows, total
