"""A polynomial by Horner's rule, coefficients from the highest power down."""

STAGES = ("while_loop",)
CASES = [([2, -3, 1], 4), ([1.5, 0.0, -2.0], 0.5), ([], 4), ([2], 4)]


def horner(coefficients, x):
    value = x * 0
    for c in coefficients:
        value = value * x + c
    return value
