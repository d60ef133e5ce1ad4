"""From its second turn on a loop looks at a list whose row the turn before changed in another."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'rows'"


def list_looked_at_before_its_rows_change(n):
    rows, total = [], 0
    for i in range(n):
        rows.append([i])
    same_rows = rows[:]
    while n > 0:
        total += len(rows[0])
        same_rows[0].append(n)
        n -= 1
    return total
