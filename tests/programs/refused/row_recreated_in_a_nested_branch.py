"""A branch appends a row to a list, a nested branch creates it again, and later iterations fill
it."""

REFUSED = "ContainerMutationError"
CASES = [(2, 1), (1, 0)]
NAMES = "'row'"


def row_recreated_in_a_nested_branch(n, k):
    rows, row = [], []
    for i in range(n):
        row.append(k)
        if i % 2 == 0:
            rows.append(row)
            if n > 2:
                row = [k]
    return rows, row
