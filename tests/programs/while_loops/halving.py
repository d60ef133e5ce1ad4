"""A loop over floating-point numbers, every step exact."""

STAGES = ("while_loop",)
CASES = [(20.0,), (1.0,), (0.75,), (2.0,)]


def halving(x):
    steps = 0
    while x > 1.0:
        x = x / 2.0
        steps += 1
    return x, steps
