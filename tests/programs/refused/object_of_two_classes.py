"""Two paths' objects, each of a class of its own, cannot be one value."""

from collections import namedtuple

REFUSED = "BranchMismatch"
NAMES = "'pair'"
CASES = [(3,), (-3,)]

Pair = namedtuple("Pair", "first second")


def object_of_two_classes(x):
    pair = Pair(x, 1)
    if x > 0:
        pair = (x, 2)
    return pair[0]
