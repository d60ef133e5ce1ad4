"""`and`, `or` in tests of a chain."""

STAGES = ("cond",)
CASES = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def logical_and_or(x, y):
    if x > 0 and y > 0:
        return 2
    elif x > 0 or y > 0:
        return 1
    return 0
