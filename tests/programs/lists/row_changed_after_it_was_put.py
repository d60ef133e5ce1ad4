"""A list is put into one that grows, and changed afterwards: Python changes both."""

REFUSED = "ContainerMutationError"
NAMES = "is an item of a list"
CASES = [(0,), (2,)]


def row_changed_after_it_was_put(n):
    row = [0]
    rows = [row]
    for i in range(n):
        rows.append([i])
    row.append(5)
    return rows
