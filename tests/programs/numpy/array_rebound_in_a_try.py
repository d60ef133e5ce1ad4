"""A variable gets a new array where nothing is raised, so that its alias may show a change."""

import numpy as np

REFUSED = "ContainerMutationError"
CASES = [(3,), (1,)]
NAMES = "first"


def array_rebound_in_a_try(n):
    first = second = np.zeros(3)
    try:
        if n > 2:
            raise ValueError(n)
        first = first + 1
    except ValueError:
        pass
    first += 5.0
    return second
