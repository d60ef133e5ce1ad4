"""NumPy scalars and `float(int(x))` decide branches and loops as Python numbers do."""

import numpy as np

PYTHON_ONLY = "NumPy scalars"
CASES = [(2.7,), (0.2,), (-1.5,)]


def numbers_as_tests(x):
    whole = float(int(x))
    flag = np.bool_(whole > 0)
    count = np.int64(0)
    while count < whole and flag:
        count += 1
    if np.float64(whole):
        return whole, int(count), not flag, type(count).__name__
    return "zero", flag and count, [v for v in np.arange(3) if v]
