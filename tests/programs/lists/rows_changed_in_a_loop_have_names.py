"""A loop changes rows in a list of which only the graph knows the order: one has a name, too."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]
NAMES = "an item of a list"


def rows_changed_in_a_loop_have_names(n):
    first, second = [1], [2]
    rows = [first, second]
    rows.sort(key=lambda row: row[0] * (n - 1))
    for i in range(n):
        rows[i].append(9)
    return first, second
