"""A number as a test: zero is false, all else is true."""

STAGES = ("cond",)
CASES = [(6, 3), (7, 3)]


def number_as_test(x, divisor):
    if x % divisor:
        return x % divisor
    return x // divisor
