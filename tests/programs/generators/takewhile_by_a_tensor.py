"""`itertools.takewhile` and `dropwhile` call functions whose truth only the graph knows."""

from itertools import dropwhile, takewhile

STAGES = ("cond",)
CASES = [(0,), (2,), (4,), (3,)]


def takewhile_by_a_tensor(n):
    head = list(takewhile(lambda v: v < n, [1, 2, 3]))
    tail = [2 * v for v in dropwhile(lambda v: v < n, (2, 1, 3))]
    return head, tail
