"""A loop puts a row into the list it is in, where it is changed later: it is there twice."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def row_put_in_again(n):
    rows = []
    for i in range(n):
        rows.append([i])
    for _ in range(n):
        rows.append(rows[0])
    rows[0][0] += 7
    return rows
