"""A change made in a branch before it raises is there after the exception is caught."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def masked_by_exception(x):
    y = 1
    try:
        if x > 0:
            y = y + x
        y = y * 10
        raise ValueError("after the branch")
    except ValueError:
        y = y + 1
    return y
