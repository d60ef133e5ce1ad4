"""A function puts a row into a list, calls itself, which puts in more, and changes the row."""

REFUSED = "ContainerMutationError"
CASES = [(3,), (0,)]
NAMES = "'rows'"


def fill(rows, n):
    if n <= 0:
        return
    row = [n]
    rows.append(row)
    fill(rows, n - 1)
    row.append(0)


def row_changed_after_the_recursion(n):
    rows = []
    fill(rows, n)
    return rows
