"""Elements and parts of an array of the module, at tensors beside numbers, slices and `...`."""

import numpy as np

STAGES = ()
CASES = [(1, 2), (0, 0), (2, -1)]

table = np.arange(12.0).reshape(3, 4)


def elements_at_tensors(i, j):
    one = table[i, j] + table[i, 1] + table[-1, j]
    parts = table[:, j], table[..., j], table[i, None], table[i:, 0], table[0, :j]
    return one, parts, table[[0, i]], table[[i, 1], [j, 0]]
