"""`itertools.takewhile` asks its function for a truth value that only the graph knows."""

from itertools import takewhile

REFUSED = "StagedIterationError"
CASES = [(0,), (2,)]


def takewhile_by_a_tensor(n):
    return list(takewhile(lambda v: v < n, [1, 2, 3]))
