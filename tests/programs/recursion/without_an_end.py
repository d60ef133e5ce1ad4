"""Recursion that only stack overflow ends: nobody needs what it returns, and Python raises all the
same."""

STAGES = ("recursion", "try_except", "cond")
CASES = [(0, 0), (2, 0), (-1, 3)]


def climb(n):
    return climb(n + 1) if n > 0 else 0


def fall(n):
    if n != 3:
        fall(n - 1)


def without_an_end(n, m):
    try:
        fall(m + 5)
        return climb(n) + m
    except RecursionError:
        return -1
