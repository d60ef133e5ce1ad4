"""An array like a tensor, changed by masks, lists of places and in place, under two names."""

import numpy as np

STAGES = ("while_loop",)
CASES = [([3, 1, 2, 5], 2), ([0, 7, 2, 2], 0), ([1, 1, 1, 1], 1)]


def masks_change_an_array(x, n):
    kept = other = np.zeros_like(x)
    for i in range(n):
        kept[i] = x[i]
    other[kept > 2] = -1
    kept += 1
    other[[0, 3]] = 6
    is_small = kept < 2
    is_small[1] = True
    kept[is_small] *= 10
    return kept, other, is_small
