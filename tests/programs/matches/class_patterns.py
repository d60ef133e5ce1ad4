"""Class patterns look into objects whose attributes are tensors."""

from dataclasses import dataclass

STAGES = ("cond",)
CASES = [(0, 5), (5, 0), (2, 2), (3, 4)]


@dataclass
class Point:
    x: object
    y: object


@dataclass
class Circle:
    centre: Point
    radius: object


def area(shape):
    match shape:
        case Point():
            return 0
        case Circle(Point(0, y), r) if y > 0:
            return r * 3 + y
        case Circle(centre=Point(x=x, y=0), radius=r):
            return r * 3 - x
        case Circle(_, r) as circle:
            return r + circle.centre.x


def class_patterns(x, y):
    return area(Circle(Point(x, y), 10)) + area(Point(x, y))
