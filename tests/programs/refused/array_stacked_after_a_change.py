"""A list of arrays that grew is stacked after one of them was changed by its own name."""

import numpy as np

import runtime as rt

CASES = [(1,), (3,)]
REFUSED = "ContainerMutationError"
NAMES = "'first'"


def array_stacked_after_a_change(n):
    first = np.zeros(2)
    rows = [first]
    for i in range(n):
        rows.append(first + i)
    first[0] = 9
    return rt.stack(rows)
