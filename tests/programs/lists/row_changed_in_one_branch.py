"""A row of a grown list is changed in one branch; the other one looks at the rows as they were."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (3,), (4,)]


def row_changed_in_one_branch(n):
    rows, count = [], 0
    for k in range(n):
        rows.append([k, 0])
    if n > 3:
        rows[n % 3][0] += 5
    else:
        for row in rows:
            count += len(row)
    return rows, count
