"""The first number is searched for that a tensor says is one, among numbers without an end."""

import itertools

REFUSED = "StagingError"
NAMES = "1000 iterations"
CASES = [(3,), (20,)]


def searched_without_an_end(n):
    return next(i for i in itertools.count() if i * i > n)
