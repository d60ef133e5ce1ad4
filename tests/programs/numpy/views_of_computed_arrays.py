"""Views and copies of an array that was computed of tensors are as NumPy has them."""

import numpy as np

STAGES = ()
CASES = [(3.0,), (1.0,)]


def views_of_computed_arrays(x):
    table = np.array([x, x + 1, x + 2, x + 3]).reshape(2, 2)
    turned = table.T
    turned[0, 1] = 9
    copied = turned.ravel()
    copied[0] = 100
    column = np.expand_dims(turned[0], 1)
    column[1, 0] = 8
    upper, lower = np.vsplit(table, 2)
    lower += upper
    upper.swapaxes(0, 1)[1] = 7
    table.flat[3] *= 2
    return table, turned, copied, column, upper, lower, table.diagonal()
