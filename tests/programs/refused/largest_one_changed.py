"""The largest item of a list is changed, where there may be none."""

REFUSED = "ContainerMutationError"
NAMES = "max(...)"
CASES = [(2,), (3,)]


def largest_one_changed(n):
    rows = [[i] for i in range(n)]
    largest = max(rows, key=lambda row: row[0], default=None)
    largest.append(9)
    return rows
