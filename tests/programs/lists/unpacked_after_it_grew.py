"""A list that grew in a loop of the graph is unpacked: how many items it has is not known."""

REFUSED = "StagingError"
NAMES = "a list that grew"
CASES = [(2,), (3,)]


def unpacked_after_it_grew(n):
    items = []
    for i in range(n):
        items.append(i)
    first, *others = items
    return first, others
