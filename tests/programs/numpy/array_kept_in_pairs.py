"""An array is put into a list in a tuple, and changed after that in each iteration."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def array_kept_in_pairs(n):
    last = np.zeros(2)
    kept = []
    i = 0
    while i < n:
        kept.append((i, last))
        last[0] = i
        i += 1
    return kept
