"""A function that returns nothing on one path."""

STAGES = ("cond",)
CASES = [(4,), (-2,)]


def function_without_result(x):
    def g(v):
        if v > 0:
            return v

    r = g(x)
    if r is None:
        return -1
    return r + 1
