"""Arrays beside tensors: the array adopts the tensor's dtype; sums of ints are wide."""

import numpy as np

STAGES = ("while_loop",)
ALWAYS = {"for row in np.stack([x, x * 2]):": "there are two"}
ARRAYS = True
CASES = [([1, 2, 3],), ([5, -1, 0],)]


def arrays_beside_tensors(x):
    weights = np.array([1, 10, 100], np.int32)
    total = int(np.sum(weights * x))
    for row in np.stack([x, x * 2]):
        total = total + int(np.max(row))
    return total, int(np.dot(x, weights)), int(np.argmax(x))
