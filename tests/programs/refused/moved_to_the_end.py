"""A key of an ordered dict is moved on one path; then the order is compared."""

from collections import OrderedDict

REFUSED = "StagingError"
CASES = [(3,), (0,)]


def moved_to_the_end(n):
    d = OrderedDict(a=1, b=2)
    if n > 2:
        d.move_to_end("a")
    return d == OrderedDict(b=2, a=1)
