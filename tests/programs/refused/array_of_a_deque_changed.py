"""A part of a table is in a deque that grew, and the table is changed."""

from collections import deque

import numpy as np

CASES = [(1,), (3,)]
REFUSED = "ContainerMutationError"
NAMES = "NumPy array"


def array_of_a_deque_changed(n):
    table = np.zeros((2, 2))
    rows = deque([table[0]])
    for i in range(n):
        rows.append(np.full(2, i))
    table[0, 1] = 7
    return rows[0]
