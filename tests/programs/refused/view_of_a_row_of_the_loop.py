"""A view of a row that a loop took cannot be assigned an item."""

import numpy as np

CASES = [(2,)]
REFUSED = "ContainerMutationError"
NAMES = "a view of an array that was taken in a loop"


def view_of_a_row_of_the_loop(n):
    table = np.zeros((3, 2))
    row = table[0]
    for i in range(3):
        if n > i:
            row = table[i]
    tail = row[1:]
    tail[0] = 5
    return table
