"""NumPy's functions that give a view of an array: values stored there are in the array."""

import numpy as np

STAGES = ("cond",)
CASES = [(3.0,), (1.0,)]


def views_of_functions(x):
    table = np.zeros((2, 3))
    table[0, 1] = x
    np.transpose(table)[2, 1] = x + 1
    np.expand_dims(table, 0)[0, 1, 0] = 4
    np.flip(table, 1)[0, 0] += 5
    np.swapaxes(table, 0, 1)[0, 0] = 6
    left, right = np.split(table, [1], axis=1)
    if x > 2:
        right[:] *= 2
    left += 1
    copied = np.ravel(table.T)
    copied[0] = 100
    shown = np.broadcast_to(table[1], (2, 3))
    np.atleast_2d(table)[1, 2] -= 3
    return table, left, right, copied, shown, np.diagonal(table)
