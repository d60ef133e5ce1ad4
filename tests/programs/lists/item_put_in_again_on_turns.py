"""Each turn of a loop puts an item of a list into it again, and changes one: they may be one."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "one object is in the list more than once"


def item_put_in_again_on_turns(n):
    rows = []
    for i in range(n):
        rows.append([i, 0])
    for _ in range(n):
        rows[0].append(9)
        rows.append(rows[0])
    return rows
