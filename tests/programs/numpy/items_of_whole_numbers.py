"""`a[i] += 3.75` of whole numbers: NumPy adds floats, and the stored number loses its fraction."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(2,), (0,), (1,)]


def items_of_whole_numbers(n):
    counts, table = np.array([1, -2, 3]), np.full((3, 3), 7)
    small = np.array([1, 2, 3], np.int8)
    for i in range(n):
        counts[i] += 3.75
        table[i, 1] -= 0.5
        table[i, i] *= 1.5
        small[i] /= 2
    counts[0] += 3.75
    table[0, 0] = 2.9
    return counts, table, small
