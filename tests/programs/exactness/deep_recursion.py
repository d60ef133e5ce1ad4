"""Recursion a few hundred levels deep still fits on Python's stack."""

PYTHON_ONLY = "recursion ends by a Python value"
CASES = [(0,), (150,)]


def deep_recursion(n):
    return 0 if n == 0 else 1 + deep_recursion(n - 1)
