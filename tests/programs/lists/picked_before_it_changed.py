"""An item that a tensor picked is read after the list's item was changed."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (1,)]


def picked_before_it_changed(k):
    rows = [[1], [2]]
    row = rows[k]
    rows[0].append(5)
    return row
