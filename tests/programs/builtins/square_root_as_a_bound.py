"""A loop ends at the square root of a number, and a function of `math` gives whole ones."""

import math

STAGES = ("while_loop", "cond")
CASES = [(1,), (2,), (49,), (97,), (99980001,), (4,)]


def square_root_as_a_bound(n):
    if n < 2:
        return False, 0
    i = 2
    while i <= math.sqrt(n):
        if n % i == 0:
            return False, i
        i += 1
    return True, math.isqrt(n)
