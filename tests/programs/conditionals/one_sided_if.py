"""An `if` without an `else`: the variable keeps its old value."""

STAGES = ("cond",)
CASES = [(5,), (-5,), (-2.5,)]


def one_sided_if(x):
    if x < 0:
        x = -x
    return x
