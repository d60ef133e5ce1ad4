"""A product over a range that starts at two."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (10,), (2,)]


def factorial(n):
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product
