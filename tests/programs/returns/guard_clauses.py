"""Several guards, each with its own `return`, then the happy path."""

STAGES = ("cond",)
CASES = [(0, 5), (8, 0), (8, 5), (-8, 5)]


def guard_clauses(x, y):
    if x == 0:
        return -1
    if y == 0:
        return -2
    if x < 0:
        return -3
    return x * y
