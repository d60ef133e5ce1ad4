"""An index outside of an array is an IndexError, which a handler catches; a negative one is not."""

import numpy as np

STAGES = ("try_except",)
CASES = [(1, 1), (-3, 0), (0, 4), (3, 0), (-4, 2)]

table = np.arange(12.0).reshape(3, 4)


def outside_of_an_array(i, j):
    try:
        found = table[i, j]
    except IndexError:
        found = table[0, 0] - 1
    return found, table[:, j]
