"""An array is changed as the item of a list that grew, and looked at by its own name."""

import numpy as np

CASES = [(1,), (3,)]
REFUSED = "ContainerMutationError"
NAMES = "NumPy array"


def array_changed_in_its_grown_list(n):
    first = np.zeros(2)
    rows = [first]
    for i in range(n):
        rows.append(np.full(2, i))
    for row in rows:
        row += 5
    return first
