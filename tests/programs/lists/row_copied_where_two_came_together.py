"""A run of rows takes in another row, so that they are one object each no longer."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (6,)]


def row_copied_where_two_came_together(n):
    first, second, rows = [1], [2], []
    if n > 0:
        rows.append(first)
    if n > 5:
        rows.append(second)
    together = rows + [[3]]
    together[0].append(5)
    return first, second
