"""Comprehensions over the elements of a tensor, with a condition on them, and nested."""

STAGES = ("cond",)
CASES = [([3, -1, 4],), ([-2],), ([],), ([1],)]


def comprehensions_over_tensors(xs):
    doubles = [2 * v for v in xs]
    positive = [v if v > 2 else -v for v in xs if v > 0]
    total = sum(v * w for v in xs for w in (1, 10))
    return doubles, len(positive), sum(positive), total
