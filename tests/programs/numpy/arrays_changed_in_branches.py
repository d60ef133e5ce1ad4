"""Arrays changed in branches, in loops in them and by `while`, under the name of a path."""

import numpy as np

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (2,), (1,)]
ALWAYS = {"while k < n:": "it stands in a branch for more than one"}


def arrays_changed_in_branches(n):
    first = np.zeros(4)
    second, k = first, 0
    if n > 1:
        while k < n:
            first[k] = k + 1
            second[k] += 10.0
            k += 1
        second[3] = 4
    else:
        second[n] = -1
    if n > 2:
        first *= 2
    second[0] += 0.5
    return first, second
