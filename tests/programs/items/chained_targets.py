"""One value goes to several targets, items of lists and attributes too, from left to right."""

from types import SimpleNamespace

STAGES = ()
CASES = [(0, 2), (1, 0), (2, 2)]


def chained_targets(i, x):
    first, kept = [1, 2, 4], SimpleNamespace(items=[5, 6, 7])
    first[i] = kept.items[i] = y = x + 10
    first[i] = i = first[0] - first[0]
    (first[i], z), whole = pair = ((x, y), 7)
    return first, kept.items, y, z, i, whole, len(pair)
