"""An array that every iteration appends to a list and changes is one array in Python."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def array_appended_in_each_iteration(n):
    total = np.zeros(2)
    kept = []
    i = 0
    while i < n:
        total += i
        kept.append(total)
        i += 1
    return kept
