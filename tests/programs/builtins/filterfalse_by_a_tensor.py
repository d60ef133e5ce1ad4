"""`itertools.filterfalse` of Python numbers and of a tensor."""

from itertools import filterfalse

STAGES = ("cond", "while_loop")
CASES = [(0, [1, 0]), (1, [2, 1]), (3, [])]


def filterfalse_by_a_tensor(n, xs):
    few = list(filterfalse(lambda v: v > n, [1, 2, 3]))
    return few, list(filterfalse(None, [n, 0])), sum(filterfalse(lambda v: v > n, xs))
