"""An array that a loop changes, and that another name shows too."""

import numpy as np

REFUSED = "ContainerMutationError"
CASES = [(3,), (0,)]


def array_under_two_names(n):
    first = np.zeros(3)
    second = first
    for k in range(n):
        first[k % 3] = k
    return second
