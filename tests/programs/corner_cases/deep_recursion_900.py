"""A recursion nine hundred calls deep, through a branch and a conditional expression."""

PYTHON_ONLY = "the depth of Python's stack"
CASES = [(800,), (0,)]


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


def up(n, limit):
    if n < limit:
        return up(n + 1, limit) + 1
    return 0


def deep_recursion_900(n):
    return down(n), up(0, n)
