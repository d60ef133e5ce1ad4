"""`total / count` of Python's own numbers raises where Python does, whichever a run has chosen."""

STAGES = ("cond", "try_except")
CASES = [(3,), (0,), (-2,)]


def quotient_of_pythons_numbers(n):
    count = 4 if n > 0 else 0
    try:
        mean = 10 / count
    except ZeroDivisionError:
        mean = -1.0
    share = 0.5 if n < 0 else 2.0
    if n == 0:
        share = 0.0
    return mean, 1.5 / share
