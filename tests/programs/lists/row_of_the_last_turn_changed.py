"""A row is kept of a list that each turn of a loop makes anew, and changed in the last one."""

REFUSED = "ContainerMutationError"
CASES = [(1, 0), (3, 2)]
NAMES = "an item of a list"


def row_of_the_last_turn_changed(n, k):
    kept, rows = [[0]], [[1], [2]]
    for _ in range(n):
        rows = [list(row) for row in rows]
        kept[0] = rows[n % len(rows)]
    rows.pop(0)
    rows[k % len(rows)].append(6)
    return kept
