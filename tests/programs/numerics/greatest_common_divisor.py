"""Euclid's algorithm."""

STAGES = ("while_loop",)
CASES = [(12, 18), (17, 5), (9, 0), (0, 18)]


def greatest_common_divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a
