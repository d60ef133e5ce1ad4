"""`int`, `float`, `bool`, `abs` and `str` of numbers that only the graph knows."""

STAGES = ("cond",)
CASES = [(2.75,), (-2.75,), (0.0,)]


def type_conversions(x):
    n = int(x)
    if bool(x):
        n += 10
    return n, float(n), abs(x), bool(n), abs(n)
