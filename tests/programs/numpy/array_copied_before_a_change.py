"""A copy of an array, or of the one that it became on a path, is nobody else's."""

import numpy as np

STAGES = ("cond", "while_loop")
CASES = [(3,), (1,), (0,)]


def array_copied_before_a_change(n):
    first = second = np.zeros(3)
    if n > 2:
        first = first + 1
    first = np.array(first)
    first[0] = 5
    third = second.copy()
    for k in range(n):
        third[k % 3] += 1
    return first, second, third
