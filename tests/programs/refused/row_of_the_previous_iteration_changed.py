"""A row that a loop has picked is kept for the next iteration, which changes it: at first it is
None."""

REFUSED = "ContainerMutationError"
NAMES = "'before'"
CASES = [(2,), (3,)]


def row_of_the_previous_iteration_changed(n):
    rows = [[0], [1], [2]]
    before = None
    for i in range(n):
        if before is not None:
            before.append(i)
        before = rows[i % 3]
    return rows
