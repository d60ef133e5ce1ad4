"""Recursion that only a stack overflow ends raises in Python, though its result is not used."""

STAGES = ("recursion", "try_except", "cond")
CASES = [(0, 0), (2, 0), (-1, 3)]


def climb(n):
    return climb(n + 1) if n > 0 else 0


def fall(n):
    if n != 3:
        fall(n - 1)


def endless_recursion(n, m):
    try:
        fall(m + 5)
        return climb(n) + m
    except RecursionError:
        return -1
