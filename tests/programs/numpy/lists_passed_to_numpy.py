"""Lists that grew in a loop, and lists of tensors, where NumPy takes arrays."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(3,), (1,), (5,)]
ALWAYS = {"for k in range(n):": "NumPy puts no arrays together"}


def lists_passed_to_numpy(n):
    squares, points, rows = [1], [], []
    for k in range(n):
        squares.append(k * k)
        points.append([k, 2 * k])
        rows.append(np.ones(2) * np.float64(k))
    found = np.array(points)
    total = np.sum(squares), np.mean(squares), np.max([n, 2])
    return found, total, np.stack(squares), np.concatenate(rows), np.vstack(rows)
