"""Attributes changed in one branch and in both."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Interval:
    def __init__(self, low, high):
        self.low = low
        self.high = high


def attribute_in_branch(x):
    interval = Interval(0, 0)
    if x > 0:
        interval.high = x
    else:
        interval.low = x
        interval.high = 1
    return interval.low, interval.high
