"""An array that a loop changes: another name shows it, and changes it after the loop."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def array_under_two_names(n):
    first = np.zeros(3)
    second = first
    for k in range(n):
        first[k % 3] = k
    kept = first
    second[1] = 7
    copied = np.zeros(3)
    copied[:] = first
    return first, second, kept, copied
