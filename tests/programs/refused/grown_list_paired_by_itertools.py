"""A function of a library iterates over a list of which only the graph knows the items."""

import itertools

REFUSED = "StagedIterationError"
NAMES = "permutations()"
CASES = [(2,), (3,)]


def grown_list_paired_by_itertools(n):
    items = [i for i in range(n)]
    return list(itertools.permutations(items, 2))
