"""A list that holds one row twice is sorted by a tensor, and then a row of it is changed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]
NAMES = "sorted()"


def same_row_twice_and_sorted(n):
    rows = [[1], [2]]
    rows.append(rows[0])
    rows.sort(key=lambda row: row[0] * n)
    rows[0].append(9)
    return rows
