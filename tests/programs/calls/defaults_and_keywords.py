"""Default values, keyword-only parameters and keywords out of order."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def defaults_and_keywords(x):
    return scaled(x) + scaled(x, by=5) + scaled(shift=x, value=2, by=x)


def scaled(value, by=2, *, shift=1):
    if value > 0:
        return value * by + shift
    return shift
