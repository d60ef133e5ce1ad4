"""An `if` with an `else`: both branches give the same variable a value."""

STAGES = ("cond",)
CASES = [(3,), (-3,), (0,)]


def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = 1 - x
    return y
