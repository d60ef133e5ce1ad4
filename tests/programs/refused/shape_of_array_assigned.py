"""`a.shape = ...` of an array that a run fills: the error says to write a = a.reshape(...)."""

import numpy as np

REFUSED = "ContainerMutationError"
NAMES = "the shape of an array"
CASES = [(0, 2.5), (1, 3.0)]


def shape_of_array_assigned(i, x):
    a = np.zeros(4)
    a[i] = x
    a.shape = (2, 2)
    return a[0]
