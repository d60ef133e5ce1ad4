"""A view of an array that a loop changes."""

import numpy as np

REFUSED = "ContainerMutationError"
CASES = [(3,), (0,)]


def row_of_an_array(n):
    table = np.zeros((3, 2))
    row = table[0]
    for k in range(n):
        table[k % 3] = k
    return row
