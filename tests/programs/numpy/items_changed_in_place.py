"""`x[k] += v` changes the array that is an item: of a list, a table, or a dict that makes it."""

import collections

import numpy as np

STAGES = ("cond",)
CASES = [(3.0,), (1.0,)]


def items_changed_in_place(x):
    sums = collections.defaultdict(lambda: np.zeros(2))
    rows, table = [np.zeros(2), np.ones(2)], np.zeros((2, 2))
    first = rows[0]
    rows[0][0] += x
    rows[0] *= 2
    for key in ("a", "b", "a"):
        sums[key] += x
        if x > 2:
            sums[key] *= 2
    for i in range(2):
        table[i] += np.arange(2) * x
        table[:, i] -= 1
    return first, rows, sums["a"], sums["b"], table
