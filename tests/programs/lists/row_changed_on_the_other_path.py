"""A row is changed where the other path takes one out of the list it was picked from."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]


def row_changed_on_the_other_path(n):
    rows = []
    for i in range(n):
        rows.append([i])
    first = rows[0]
    if n > 1:
        rows.pop()
    else:
        first[0] += 2
    return rows
