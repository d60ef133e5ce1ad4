"""An object of an ordinary class, or `None` where no path makes one."""

STAGES = ("cond",)
ALWAYS = {"return Vector(self.x * by, self.y * by) if by > 1 else self": "nobody calls it here"}
CASES = [(7,), (3,), (-3,)]


class Vector:
    """A pair of numbers with operators of its own."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def scaled(self, by):
        return Vector(self.x * by, self.y * by) if by > 1 else self


def object_or_none(x):
    point = None
    if x > 0:
        point = Vector(x, 2)
    if x > 5:
        point.y = x
    return -1 if point is None else point.x + point.y
