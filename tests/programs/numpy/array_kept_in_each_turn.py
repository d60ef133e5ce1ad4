"""An array that every turn puts into a list and changes is one array in Python."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def array_kept_in_each_turn(n):
    total = np.zeros(2)
    kept = []
    i = 0
    while i < n:
        total += i
        kept.append(total)
        i += 1
    return kept
