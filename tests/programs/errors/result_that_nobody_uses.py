"""What is looked up in vain raises, though nobody uses the result."""

STAGES = ("cond",)
CASES = [(1, 1), (2, 1), (1, 7), (0, 1)]


def result_that_nobody_uses(n, divisor):
    items = [1, 2]
    unused = items[n]
    if divisor > 5:
        unused = items[divisor]
    return n
