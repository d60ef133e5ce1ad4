"""A dataclass that has no order raises Python's own error where it is put in one."""

from dataclasses import dataclass

STAGES = ("cond",)
CASES = [(4, 5), (5, 5)]


@dataclass
class Point:
    x: int
    y: int


def dataclasses_without_order(x, y):
    if Point(x, y) == Point(y, y):
        return sorted([Point(x, y), Point(y, x)])
    return [max(Point(x, y), Point(y, x))]
