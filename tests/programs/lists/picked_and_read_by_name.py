"""A list is changed under an index that is a tensor, and then read by its own name."""

REFUSED = "ContainerMutationError"
CASES = [(0,), (1,)]


def picked_and_read_by_name(k):
    first = [0]
    rows = [first, [1]]
    rows[k][0] += 1
    return first[0]
