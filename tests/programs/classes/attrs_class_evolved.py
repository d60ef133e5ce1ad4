"""Frozen attrs objects are evolved by a loop, joined field by field, and compared."""

import attrs

STAGES = ("cond", "while_loop")
CASES = [(3, 4), (0, 4), (1, 1), (5, 0), (3, 3)]


@attrs.frozen
class Point:
    x: int
    y: int = 0


def attrs_class_evolved(n, k):
    point = Point(0)
    for i in range(n):
        point = attrs.evolve(point, x=point.x + i, y=i)
    other = Point(k, 2) if k > 2 else Point(y=k, x=1)
    same = 1 if point == other else 0
    last = attrs.evolve(other, x=7) if point != other else point
    return point.x, point.y, other.x, other.y, same, last.x, last.y
