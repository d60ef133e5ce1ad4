"""One path puts a row into a list twice; then it changes as the first item."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (0,)]


def row_put_in_twice_on_a_path(n):
    rows = []
    if n > 0:
        row = [n]
        rows.append(row)
        rows.append(row)
    if n > 0:
        rows[0].append(1)
    return rows
