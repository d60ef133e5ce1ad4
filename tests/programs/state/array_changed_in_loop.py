"""A NumPy array that a function changes in place, which a loop calls."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def bump(counts):
    counts += 1


def array_changed_in_loop(n):
    counts = np.zeros(2)
    for _ in range(n):
        bump(counts)
    return counts[0]
