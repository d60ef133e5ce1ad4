"""An array in an attribute: methods store in it, other names and objects show it."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


class Counter:
    def __init__(self, counts):
        self.counts = counts
        self.steps = np.zeros(2, int)

    def count(self, i):
        self.counts[i % 3] += 1.0
        self.steps += 1


def array_in_an_object(n):
    counts = np.zeros(3)
    first, second = Counter(counts), Counter(counts)
    for i in range(n):
        first.count(i)
    second.count(0)
    first.counts[2] = -1
    return counts, first.counts, second.counts, first.steps, second.steps
