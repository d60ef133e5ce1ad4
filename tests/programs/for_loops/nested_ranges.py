"""Nested `for` loops; the inner bound is the outer loop variable."""

STAGES = ("while_loop",)
CASES = [(4,), (1,), (0,)]


def nested_ranges(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    return total
