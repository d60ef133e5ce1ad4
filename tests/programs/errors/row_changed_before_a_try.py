"""A row picked out of a list is changed before a `try`: the change is in the list after it."""

STAGES = ("try_except", "while_loop")
CASES = [(2,), (1,), (0,)]


def row_changed_before_a_try(n):
    rows = []
    for i in range(n):
        rows.append([i, n])
    first = rows[0]
    first.append(7)
    try:
        n = 7 // (n - 1)
    except ZeroDivisionError:
        n = len(rows)
    return rows, n
