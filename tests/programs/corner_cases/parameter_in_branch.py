"""A parameter that a branch assigns is one variable inside, outside and in a closure."""

STAGES = ("cond",)
CASES = [(3, 1), (-3, 1)]


def parameter_in_branch(x, y):
    read = lambda: x * 100 + y
    if x > 0:
        x = x + y
        y = x
    return x, y, read()
