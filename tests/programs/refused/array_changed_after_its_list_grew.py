"""An array in a list that grew is changed by its own name: the run has its old values."""

import numpy as np

CASES = [(1,), (3,)]
REFUSED = "ContainerMutationError"
NAMES = "first.copy()"


def array_changed_after_its_list_grew(n):
    first = np.zeros(2)
    rows = [first]
    for i in range(n):
        rows.append(np.full(2, i))
    first[0] = 7
    return rows[0]
