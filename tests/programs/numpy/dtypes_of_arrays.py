"""Arrays of NumPy's and their elements promote as NumPy's do, though a run fills them."""

import numpy as np

STAGES = ()


def dtypes_of_arrays(i, x):
    small = np.zeros(3, np.int32)
    small[i] = x
    single = np.zeros(3, np.float32)
    single[i] = x
    halves = small * 0.5
    quotients = 1 / (small + 1)
    mixed = single + small
    scaled = single[i] * np.ones(3)
    other = scaled
    other[0] = small[i] * 0.5
    is_number = np.isscalar(small[i]) and isinstance(single[i], np.float32)
    counted = [isinstance(small[i], int), small.sum() / 2]
    return halves, quotients, mixed, scaled, is_number, counted, single * 2, 2**small


CASES = [(0, 2.75), (2, 3.0), (1, -0.5)]
