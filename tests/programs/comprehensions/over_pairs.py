"""Comprehensions over `zip` and `enumerate` of tensors take their items apart."""

STAGES = ("while_loop",)
CASES = [([3, -5, 1], [4, 5, 1]), ([1, 1, 1], [0, 0, 0]), ([], [4, 5, 1]), ([3], [4, 5, 1])]


def over_pairs(xs, ys):
    rising = [(a, b) for a, b in zip(xs, ys) if a < b]
    weighted = [k * v for k, v in enumerate(xs)]
    return rising, sum(weighted)
