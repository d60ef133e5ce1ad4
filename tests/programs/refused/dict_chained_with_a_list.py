"""Only Python iterates over a dict of which the graph knows whether it has a key."""

import itertools

REFUSED = "StagedIterationError"
CASES = [(1,), (-1,)]
NAMES = "chain() iterates over a dict"


def dict_chained_with_a_list(x):
    prices = {"a": 1}
    if x > 0:
        prices["c"] = x
    return len(list(itertools.chain(prices, ["z"])))
