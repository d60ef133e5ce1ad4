"""A floating-point number as a test: zero is false."""

STAGES = ("cond",)
CASES = [(0.5,), (0.0,), (-2.0,), (0,)]


def float_as_test(x):
    if x:
        return x * 2
    return x - 1
