"""`any` of one repeated number, or of endless numbers, may never be decided."""

import itertools

REFUSED = "StagingError"
NAMES = "1000 iterations"
CASES = [(3,), (20,)]


def any_of_an_endless_iterator(n):
    found = any(i > n for i in itertools.count())
    return found and next((i for i in itertools.repeat(25) if i > n), -1)
