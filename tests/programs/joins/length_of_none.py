"""Python's error where a builtin, a loop or a membership test is given None."""

STAGES = ("cond",)
CASES = [(2,), (-1,)]


def length_of_none(x):
    items = None
    if x > 0:
        items = [1, x]
    total = 0
    try:
        total = len(items)
    except TypeError:
        total = -1
    return total
