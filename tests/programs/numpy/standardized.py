"""NumPy's functions on tensors: means, deviations and choices by element, in a branch."""

import numpy as np

STAGES = ("cond",)
ARRAYS = True
CASES = [([1.0, 2.0, 4.0],), ([3.0, 3.0, 3.0],)]


def standardized(x):
    spread = np.std(x)
    if spread > 0:
        x = (x - np.mean(x)) / spread
    return round(float(np.sum(np.where(x > 0, np.sqrt(np.abs(x)), 0.0))), 3)
