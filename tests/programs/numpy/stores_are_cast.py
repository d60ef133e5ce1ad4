"""Values stored in an array of a size that a run knows are cast to its dtype, as NumPy casts."""

import numpy as np

STAGES = ("while_loop",)
CASES = [([1.75, -2.5, 3.0], 3), ([0.5, 7.0], 2), ([4.5], 1), ([], 0)]


def stores_are_cast(x, n):
    wide, whole, flags = np.zeros(n), np.zeros(n, dtype=int), np.zeros(n, dtype=bool)
    table = np.full((n, 2), 9)
    for i in range(n):
        wide[i] = x[i]
        whole[i] = x[i] * 2
        flags[i] = x[i] > 1
        table[i, :] = whole[i]
        table[i, 1] += 3
    wide[:1] = 0.1
    return wide, whole, flags, table
