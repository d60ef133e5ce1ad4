"""A list holds one row twice when another is inserted at a tensor, and then a row is changed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]
NAMES = "more than once"


def same_row_twice_around_another(n):
    rows = [[1], [2]]
    rows.append(rows[0])
    rows.insert(n, [3])
    rows[n - 1].append(9)
    return rows
