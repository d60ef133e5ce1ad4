"""A search among endless numbers ends where a tensor says so."""

import itertools

REFUSED = "StagingError"
NAMES = "1000 iterations"
CASES = [(3,), (20,)]


def endless_search(n):
    return next(i for i in itertools.count() if i * i > n)
