"""Recursion bounded by a Python number: every level is traced."""

STATIC = (1,)
STAGES = ()
CASES = [(3, 5), (2, 0), (1.5, 3)]


def recursion(x, n):
    if n == 0:
        return x * 0 + 1
    half = recursion(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x
