"""NumPy arrays that a loop goes on from."""

import numpy as np

STAGES = ("while_loop",)
ALWAYS = {"return [float(x) for x in total], np.sum(power), row[0]": "there are two"}
CASES = [(3,), (0,), (5,), (1,)]


def array_carried_by_a_loop(n):
    total, power, row = np.zeros(2), np.eye(2), np.array([1, 2, 3])
    while n > 0:
        total = total + 1
        power = power @ np.array([[1.0, 1.0], [1.0, 0.0]])
        row = np.roll(row, 1)
        n -= 1
    return [float(x) for x in total], np.sum(power), row[0]
