"""A new frozen dataclass in every iteration, and one whose fields are assigned."""

from dataclasses import dataclass, replace

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


@dataclass(frozen=True)
class Point:
    x: object
    y: object


@dataclass
class Totals:
    steps: object = 0


def dataclass_state(n):
    point, totals = Point(0, 10), Totals()
    for i in range(n):
        point = Point(point.y, point.x + i)
        point = replace(point, x=point.x + 1)
        totals.steps += 1
    return point.x, point.y, totals.steps
