"""`[row] * n` holds one row n times, which a graph that copies rows would not show: refused."""

REFUSED = "ContainerMutationError"
CASES = [(2,), (0,)]


def rows_repeated_by_a_tensor(n):
    rows = [[0, 0]] * n
    for row in rows:
        row[0] += 1
    return rows
