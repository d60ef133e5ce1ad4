"""A dataclass object made in each branch, joined field by field."""

from dataclasses import dataclass

STAGES = ("cond",)
CASES = [(3,), (-3,)]


@dataclass
class Interval:
    low: object
    high: object


def dataclass_per_branch(x):
    if x > 0:
        interval = Interval(0, x)
    else:
        interval = Interval(x, 0)
    return interval.low, interval.high - interval.low
