"""A row is changed in its list, and a row picked before that is assigned there again."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'first' is an item of the list 'rows'"


def row_put_where_it_was(n):
    rows = []
    for i in range(n):
        rows.append([i * 2])
    first = rows[0]
    rows[n % len(rows)][0] += 9
    rows[0] = first
    return rows
