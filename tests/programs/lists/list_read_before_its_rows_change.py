"""From its second iteration on a loop reads a list whose row the previous one changed in
another."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'rows'"


def list_read_before_its_rows_change(n):
    rows, total = [], 0
    for i in range(n):
        rows.append([i])
    same_rows = rows[:]
    while n > 0:
        total += len(rows[0])
        same_rows[0].append(n)
        n -= 1
    return total
