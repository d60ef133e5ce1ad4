"""An array is assigned an item on one path, under one of its names."""

import numpy as np

STAGES = ("cond",)
CASES = [(3,), (1,)]


def item_of_an_array(n):
    table = other = np.zeros(4)
    if n > 2:
        table[0] = n
    other[1] = 3
    return table, other[0]
