"""A row is put into a list on a condition, and changed afterwards on any path."""

REFUSED = "ContainerMutationError"
CASES = [(4,), (0,)]
NAMES = "'small'"


def row_changed_after_it_was_put_on_a_path(n):
    small = []
    for i in range(n):
        row = [i]
        if i > 1:
            small.append(row)
        row.append(n)
    return small
