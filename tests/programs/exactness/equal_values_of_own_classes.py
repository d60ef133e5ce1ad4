"""Named tuples and classes made from Python's own are equal by their contents, in a trace, too."""

import enum
from collections import namedtuple

STAGES = ("cond",)
CASES = [(1,), (-1,)]

Point = namedtuple("Point", "x y")


class Name(str):
    pass


class Count(int):
    pass


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def equal_values_of_own_classes(n):
    moved = n + 1 if n > 0 else n
    points = Point(1, 2) == Point(1, 2), Point(1, 2) != Point(1, 3), Point(n, 2) == Point(moved, 2)
    names = Name("a") == Name("a"), Name("a") != Name("a"), Count(3) == Count(3)
    return points, names, Color.RED == Color.BLUE, Color.RED != Color.BLUE
