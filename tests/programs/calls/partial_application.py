"""`functools.partial` fixes one argument of a converted function."""

import functools

STAGES = ("cond",)
CASES = [(4,), (9,)]


def partial_application(x):
    at_most_six = functools.partial(clip, limit=6)
    return at_most_six(x) * 10 + at_most_six(x + 1)


def clip(value, limit):
    return limit if value > limit else value
