"""Two arrays alternate, one for the previous iteration, and one is created in each iteration."""

import numpy as np

STAGES = ("while_loop",)
CASES = [([1.0, 2.0, 3.0], 3), ([0.5, 4.0, -1.0], 0), ([2.0, 0.0, 1.0], 1)]


def arrays_swapped_by_a_loop(x, n):
    before, now = np.zeros(3), np.zeros(3)
    best = np.zeros(3)
    for i in range(n):
        for j in range(1, 3):
            now[j] = before[j - 1] + x[j]
        made = np.zeros(3)
        made[i] = best[0] + now[1]
        best = made
        before, now = now, before
    return before, now, best
