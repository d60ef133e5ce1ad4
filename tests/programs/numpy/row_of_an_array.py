"""A view of an array shows the values that a loop stores in the array, and stores in it."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def row_of_an_array(n):
    table = np.zeros((3, 2))
    row = table[0]
    for k in range(n):
        table[k % 3] = k
    row[1] = 9
    return row, table
