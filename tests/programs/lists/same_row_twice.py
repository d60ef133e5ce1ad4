"""One list stands in another twice, and a tensor says which of them is changed."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (3,)]


def same_row_twice(n):
    rows = [[0] * 2] * 2
    for i in range(n):
        rows[i % 2][0] += 1
    return rows
