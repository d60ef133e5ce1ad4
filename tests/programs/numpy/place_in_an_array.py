"""Where an array is changed must be known while tracing, also in an attribute of an object."""

from types import SimpleNamespace

import numpy as np

REFUSED = "ContainerMutationError"
CASES = [(3,), (1,)]


def place_in_an_array(n):
    box = SimpleNamespace(table=np.zeros(4))
    box.table[1] = 5
    box.table[n] += 1
    return box.table[0]
