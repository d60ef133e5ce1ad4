"""A row is replaced on one path, and one of its items on the other."""

STAGES = ("cond", "while_loop")
CASES = [(0,), (2,), (7,), (1,)]


def row_assigned_or_changed(n):
    rows = [[1, 2], [3, 4]]
    for i in range(n):
        if i > 4:
            rows[0] = [9, i]
        else:
            rows[0][1] = i
            rows[1].append(i)
    return rows
