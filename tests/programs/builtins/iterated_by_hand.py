"""`iter` and `next` of a tensor, by hand and shared with a loop."""

STAGES = ("while_loop",)
CASES = [([3, -1, 4],), ([7],), ([3, -1],)]


def iterated_by_hand(xs):
    items = iter(xs)
    first = next(items)
    total = 0
    for v in items:
        total += v
    return first, total, next(items, first * 10)
