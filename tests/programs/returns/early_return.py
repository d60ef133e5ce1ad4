"""A `return` in one branch, code after the conditional for the other."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def early_return(x):
    if x < 0:
        return 0
    y = x * x
    return y + 1
