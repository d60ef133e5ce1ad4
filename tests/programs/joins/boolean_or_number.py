"""True on one path, a number on the other."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def boolean_or_number(x):
    if x > 0:
        count = True
    else:
        count = 5
    return count + x
