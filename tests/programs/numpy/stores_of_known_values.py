"""Arrays that Python fills before and after a loop, in variables, attributes and lists."""

from types import SimpleNamespace

import numpy as np

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def stores_of_known_values(n):
    box, rows = SimpleNamespace(table=np.zeros(3)), [np.zeros(2), np.ones(2)]
    for k in range(3):
        box.table[k] = k
        box.table[0] += 2
        rows[1][0] *= 3
    whole = box.table
    for _ in range(n):
        n -= 1
    return n, whole[0], box.table[1], rows[1][0], box.table is whole
