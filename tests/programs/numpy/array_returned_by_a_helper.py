"""An array that a helper makes and returns twice, and the values that are computed of it."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def made(n):
    squares = np.zeros(4)
    for i in range(n):
        squares[i] = i * i
    return squares, squares


def array_returned_by_a_helper(n):
    first, second = made(n)
    first[3] = 5
    total = first + second
    same = total
    same[0] = -1
    copied = first.copy()
    copied[1] = 100
    return first, second, total, np.sum(first), copied.max(), np.where(first > 1, first, 0)
