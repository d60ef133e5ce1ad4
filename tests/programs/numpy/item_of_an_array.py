"""An array cannot hold a value that is known only when the graph runs."""

import numpy as np

REFUSED = "ContainerMutationError"
CASES = [(3,), (1,)]


def item_of_an_array(n):
    table = np.zeros(4)
    if n > 2:
        table[0] = n
    return table[0]
