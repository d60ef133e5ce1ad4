"""Each iteration of a loop appends another array to a list: a copy, a computed one, a new one,
a row."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def arrays_kept_by_a_loop(n):
    total, table = np.zeros(2), np.zeros((4, 2))
    copies, computed, new, rows = [], [], [], []
    i = 0
    while i < n:
        total[0] += i
        copies.append(total.copy())
        computed.append(total + 1)
        made = np.zeros(2)
        new.append(made)
        made += i
        table[i] = i
        rows.append(table[i])
        i += 1
    return copies, computed, new, rows
