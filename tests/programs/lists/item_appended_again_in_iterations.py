"""Each iteration appends an item of a list to it again, and changes one: they may be one."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "one object is in the list more than once"


def item_appended_again_in_iterations(n):
    rows = []
    for i in range(n):
        rows.append([i, 0])
    for _ in range(n):
        rows[0].append(9)
        rows.append(rows[0])
    return rows
