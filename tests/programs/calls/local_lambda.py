"""A `lambda` with a conditional expression, called twice."""

STAGES = ("cond",)
CASES = [(4,), (-4,)]


def local_lambda(x):
    positive = lambda v: v if v > 0 else 0
    return positive(x) - positive(-x)
