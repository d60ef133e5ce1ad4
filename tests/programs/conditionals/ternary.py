"""A conditional expression: only the chosen side is evaluated."""

STAGES = ("cond",)
CASES = [(4,), (-4,), (0.5,)]


def ternary(x):
    return x if x > 0 else -x
