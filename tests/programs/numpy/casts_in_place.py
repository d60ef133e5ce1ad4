"""An array is changed in place only by values that its dtype can hold: NumPy raises TypeError."""

import numpy as np

STAGES = ()


def casts_in_place(i, x):
    whole = np.zeros(3, np.int32)
    whole[i] = x
    tried = []
    for other in (0.5, np.ones(3), np.float32(2), 2, np.int64(3), np.arange(3)):
        try:
            whole += other
        except TypeError:
            tried.append(other)
    try:
        whole /= 2
    except TypeError:
        whole //= 2
    floats = np.ones(3, np.float32)
    floats *= whole
    floats -= x
    return whole, floats, len(tried)


CASES = [(0, 2.75), (2, 3.0), (1, -0.5)]
