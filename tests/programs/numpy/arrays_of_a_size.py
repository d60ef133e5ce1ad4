"""Arrays whose shape, bounds or values are tensors."""

import numpy as np

STAGES = ()
CASES = [(3,), (1,)]


def arrays_of_a_size(n):
    ones, row = np.ones((n, 2)), np.arange(1, n, 2)
    square = np.eye(n) + np.zeros((n, n))
    pair = np.array([[n, 0], [0, n]]) @ np.array([1, 2])
    filled = np.full((2, 2), n)
    ends = np.linspace(0, n, 3)
    return np.sum(ones), np.sum(row), np.sum(square), pair, filled, ends, np.float64(n) / 2
