"""Rows that a comprehension keeps are looked at after one of them was changed in the list."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (0,)]
NAMES = "an item of the list 'kept'"


def kept_rows_and_the_list_change(n):
    rows = [[1], [2], [3]]
    kept = [row for row in rows if row[0] > n]
    rows[n].append(9)
    return len(kept[0])
