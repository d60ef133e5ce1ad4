"""Each iteration creates a new object of an ordinary class."""

STAGES = ("while_loop", "cond")
CASES = [(4,), (1,), (0,)]


class Vector:
    """A pair of numbers with operators of its own."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def scaled(self, by):
        return Vector(self.x * by, self.y * by) if by > 1 else self


def new_object_in_each_iteration(n):
    position = Vector(0, 1)
    for i in range(n):
        position = position + Vector(i, 1).scaled(i)
    return position.x, position.y
