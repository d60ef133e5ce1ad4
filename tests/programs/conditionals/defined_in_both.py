"""A variable first bound inside the branches of two nested conditionals."""

STAGES = ("cond",)
CASES = [(12,), (2,), (-2,)]


def defined_in_both(x):
    if x > 0:
        if x > 10:
            label = 2
        else:
            label = 1
        result = label * 100
    else:
        result = -1
    return result
