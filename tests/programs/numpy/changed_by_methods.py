"""Methods and functions of NumPy's that change an array: fill, sort, `out=`, flat, ndenumerate."""

import numpy as np

STAGES = ("cond",)
CASES = [(3.0,), (1.0,)]
ALWAYS = {"for place, value in np.ndenumerate(table):": "a table of four"}


def changed_by_methods(x):
    row, table = np.array([3.0, 1.0, 2.0]), np.zeros((2, 2))
    same = row
    np.multiply(row, x, out=row)
    np.add(row, 1, out=same)
    if x > 2:
        table[0].fill(x)
    for place, value in np.ndenumerate(table):
        table[place] = value + 1
    row.sort()
    row.flat[0] = x
    table.flat[2] = x
    return row, same, table, table.tolist(), row.item(1), row.real
