"""From its second iteration on a loop reads a row that the previous one changed as an item."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'row'"


def row_read_before_it_changes(n):
    row, total = [5], 0
    rows = [row, [6]]
    while n > 0:
        total += len(row)
        rows[n % 2].append(n)
        n -= 1
    return total
