"""Shifts by an optional number, and an optional truth value compared by `is`."""

STAGES = ("cond",)
CASES = [(2,), (4,), (-1,)]
STAGED_ONLY = "a truth value that is an eager tensor is not True itself"


def operators_of_an_optional_value(x):
    n = large = None
    if x > 0:
        n, large = x, x > 3
    bits = -1 if n is None else (1 << n) + (16 >> n)
    return bits, large is True, large is False, large is None
