"""A row of a sorted list is changed, which a second sorting has found in the same list."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]
NAMES = "sorted()"


def ranked_rows_found_again(n):
    rows = [[2], [1], [3]]
    ranked = sorted(rows, key=lambda row: row[0] * n)
    last = sorted(ranked, key=lambda row: row[0] * (n - 3))[0]
    last.append(9)
    return rows
