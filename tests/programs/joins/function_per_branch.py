"""A function of its own in each branch."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def function_per_branch(x):
    if x > 0:
        f = lambda a: a + 1
    else:
        f = lambda a: a - 1
    return f(x)
