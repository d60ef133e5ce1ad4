"""The rows of a list are taken out of a copy of it, one by one, and changed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def popped_rows_of_a_copied_list(n):
    rows = [[0], [1]]
    left = rows[:]
    while len(left) < n:
        left.append([2])
    while left:
        row = left.pop(0)
        row.append(n)
    return rows
