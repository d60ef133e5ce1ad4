"""A row of the result of `sorted` is a row of the list, in a place that a tensor knows."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def sorted_rows_change(n):
    rows = [[n], [2]]
    sorted(rows)[0].append(7)
    return rows
