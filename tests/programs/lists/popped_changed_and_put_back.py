"""Rows are taken out of a list at a tensor, changed, and put back or into another one."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (2,)]


def popped_changed_and_put_back(n):
    rows, done = [[1, 0], [2, 0], [3, 0]], []
    for k in range(n):
        row = rows.pop(k)
        row[1] += k + 1
        if row[1] > 1:
            done.append(row)
        else:
            rows.append(row)
    last = rows.pop(n - 2)
    last.append(9)
    rows[0].append(8)
    return rows, done, last
