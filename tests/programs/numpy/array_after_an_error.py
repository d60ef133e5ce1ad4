"""The items stored in an array before an exception is raised are there for the handler."""

import numpy as np

STAGES = ("cond",)
CASES = [(3,), (1,)]


def array_after_an_error(n):
    first = second = np.zeros(3)
    try:
        first[0] = 1
        if n > 2:
            raise ValueError(n)
        second[1] = 2
    except ValueError:
        second[2] = 3
    first += 1
    return first, second
