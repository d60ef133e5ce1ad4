"""A row is changed by its own name, after the list it is in was sorted by tensors."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (-1,)]


def row_of_a_list_sorted_later(n):
    rows = [[3], [1], [5]]
    row = rows[1]
    rows.sort(key=lambda each: each[0] * n)
    row.append(2)
    return rows, row
