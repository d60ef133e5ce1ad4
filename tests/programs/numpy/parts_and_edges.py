"""NumPy's functions that take apart, put together and pad."""

import numpy as np

STAGES = ("cond",)
ARRAYS = True
CASES = [([3, 1, 2, 4],), ([-5, 1, 1, 0],)]


def parts_and_edges(x):
    first, second = np.split(x, 2)
    if np.matmul(first, second) > 0:
        x = np.append(x[:3], 5)
    return np.pad(x, 1), np.atleast_1d(x[0]), np.polyval([1, 2], x), np.unique(x), np.nonzero(x > 0)
