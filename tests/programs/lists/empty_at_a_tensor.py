"""An empty list is asked for an item at a place that a tensor says: Python's error, there."""

STAGES = ("cond",)
CASES = [(2,), (-1,)]


def empty_at_a_tensor(x):
    items = []
    total = 0
    if x > 0:
        total += items[x - 1]
    return total
