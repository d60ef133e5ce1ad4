"""A list holds rows of another one, and copies of some: to change it may change the other."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def row_or_its_copy_changed(n):
    rows = []
    for i in range(n):
        rows.append([i] * 2)
    some = [row if row[0] > 0 else row[:] for row in rows]
    some[-1].append(7)
    return rows
