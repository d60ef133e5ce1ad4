"""An array that a tensor picks from a list or dict is one of those there, under all its names."""

import numpy as np

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (2,)]
STAGED_ONLY = "an eager tensor is no key of a dict"


def array_picked_by_a_tensor(n):
    first, second = np.zeros(2), np.ones(2)
    arrays = [first, second, np.zeros(2)]
    named = {0: first, 1: second, 2: np.ones(2)}
    arrays[n] += 5
    picked = arrays[n]
    first[1] = 8
    picked[0] -= 1
    i = 0
    while i < n:
        arrays[i] *= 2
        arrays[i][1] += 1
        i += 1
    if n > 0:
        other = named[n]
        other += 3
    return first, second, arrays, picked, named
