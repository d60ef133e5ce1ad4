"""A NumPy array that a called function changes in place."""

import numpy as np

REFUSED = "ContainerMutationError"
NAMES = "'counts'"
CASES = [(3,), (0,)]


def bump(counts):
    counts += 1


def array_changed_in_loop(n):
    counts = np.zeros(2)
    for _ in range(n):
        bump(counts)
    return counts[0]
