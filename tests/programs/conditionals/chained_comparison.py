"""A chained comparison is one test with the middle evaluated once."""

STAGES = ("cond",)
CASES = [(0,), (1,), (3,), (5,), (6,)]


def chained_comparison(x):
    if 1 <= x < 5:
        return x
    return -1
