"""Arrays indexed by masks and rows of numbers that are tensors, next to each other and not."""

import numpy as np

STAGES = ()
ARRAYS = True
CASES = [([0, 2, 1],), ([2, 2, 0],), ([1, 1, 1],)]


def dynamic_masks(x):
    cube = np.arange(18).reshape(3, 2, 3)
    big = x > 1
    return cube[big], cube[big, 1], cube[x, 0], cube[0, :, x], cube[:, 1, x], cube[1, :, big]
