"""Functions of `math` that take numbers give numbers that go on as Python's do."""

from math import ceil, copysign, exp, floor, fmod, gcd, hypot, isclose, isnan, log, modf, trunc

STAGES = ("cond",)
CASES = [(2.5, 12), (-0.75, 7), (100.0, 1)]


def numbers_of_the_math_module(x, n):
    angle = x * 8
    if isclose(x, 2.5) or isnan(x):
        angle = fmod(angle, 6.0)
    part, whole = modf(x)
    counts = [floor(x), ceil(x), trunc(x), gcd(n, 18)]
    return angle, part + whole, counts, hypot(x, n), copysign(exp(-x * x), x), log(n, 2)
