"""A class defines equality: `==`, `!=`, `in` a list and `index` ask its `__eq__`."""

STAGES = ("cond",)
CASES = [(2, 1), (3, 3), (0, 1)]


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y


def points_that_are_equal(x, y):
    point, corners = Point(x, y), [Point(0, 1), Point(2, 1), Point(3, 3)]
    return point == corners[0], point != corners[1], point in corners, corners.index(point)
