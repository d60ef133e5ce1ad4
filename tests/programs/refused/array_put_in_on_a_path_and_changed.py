"""A branch puts an array into a list, which is changed by its own name after that."""

import numpy as np

CASES = [(1,), (3,)]
REFUSED = "ContainerMutationError"
NAMES = "NumPy array"


def array_put_in_on_a_path_and_changed(n):
    first, rows = np.zeros(2), []
    if n > 2:
        rows.append(first)
    else:
        rows.append(np.ones(2))
        rows.append(first)
    first[0] = 7
    return rows
