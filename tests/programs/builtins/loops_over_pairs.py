"""`enumerate`, `zip`, `map`, `filter` and `reversed` over tensors, in loops of the graph."""

STAGES = ("cond",)
CASES = [([3, -1, 4], [1, 2, 3]), ([-2], [5]), ([], [1, 2, 3]), ([3], [1, 2, 3])]


def loops_over_pairs(xs, ys):
    total = 0
    for i, v in enumerate(xs, 1):
        total += i * v
    for a, b in zip(xs, ys):
        if a < 0:
            continue
        total += a * b
    for v in map(lambda a, b: a - b, xs, ys):
        total = total * 2 + v
    for v in filter(lambda a: a > 0, reversed(xs)):
        total -= v
    return total
