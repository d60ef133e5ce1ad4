"""The identity of two lists, where the graph knows only their contents."""

REFUSED = "StagingError"
CASES = [(1,), (-1,)]


def identity_of_lists(x):
    first, second = [1], [2]
    chosen = first
    if x > 0:
        chosen = second
    return chosen is first
