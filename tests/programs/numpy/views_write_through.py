"""Slices, rows, columns, transposes and other forms of an array write into it."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(2,), (0,), (1,)]


def views_write_through(n):
    table = np.zeros((3, 4))
    tail = table[1:, 2:]
    for i in range(n):
        row = table[i]
        row[1] = i + 1
        table[i, 2] = 9
        tail[i] += 0.5
    tail[0, 0] = 7
    table[:, 3] = 2
    table.T[0, 1] = 6
    flat = table.reshape(-1)
    flat[0] = 3
    table[2][:2] = 1
    return table, tail, flat
