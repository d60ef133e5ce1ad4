"""The best row is looked up, and then found in the list in another way and changed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (0,)]
NAMES = "an item of a list"


def row_found_in_two_ways(n):
    rows = [[4], [3], [2]]
    best = max(rows, key=lambda row: row[0] * n)
    rows.sort(key=lambda row: row[0] * n)
    rows[n].append(9)
    return best
