"""The text of an array shows its values when the graph runs, in NumPy's form."""

import numpy as np

STAGES = ()


def texts_of_arrays(i, x):
    counts = np.arange(3)
    counts[i] = x
    halves = counts * 0.5
    shown = f"{counts} and {halves!r}"
    inner = str([counts, halves[0]])
    return shown, inner, "%s" % (counts[1:],), f"{counts[0]:03d}"


CASES = [(0, 2.75), (2, 3.0), (1, -0.5)]
