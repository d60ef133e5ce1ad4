"""An array in an attribute is changed at a place that only the run knows, as it is elsewhere."""

from types import SimpleNamespace

import numpy as np

STAGES = ()
CASES = [(3,), (1,)]


def place_in_an_array(n):
    box = SimpleNamespace(table=np.zeros(4))
    box.table[1] = 5
    box.table[n] += 1
    shown = box.table
    box.table *= 2
    return box.table, shown
