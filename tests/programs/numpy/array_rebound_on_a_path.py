"""A variable gets a new array on one path only, so that its alias may show a change."""

import numpy as np

REFUSED = "ContainerMutationError"
NAMES = "first"
CASES = [(3,), (1,)]


def array_rebound_on_a_path(n):
    first = second = np.zeros(3)
    if n > 2:
        first = first + 1
    first[0] = 5
    return second
