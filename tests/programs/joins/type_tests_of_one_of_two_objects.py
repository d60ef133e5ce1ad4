"""`isinstance`, `type`, `callable` and `hasattr` of one of two objects, or of an optional value."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Square:
    def __init__(self, side):
        self.side = side


class Circle(Square):
    def __init__(self, radius):
        self.radius = radius


def type_tests_of_one_of_two_objects(x):
    shape = Square(x) if x > 0 else Circle(x)
    circle = None if x > 0 else Circle(x)
    size = shape.radius if isinstance(shape, Circle) else shape.side * 2
    if isinstance(circle, Circle):
        size += circle.radius
    kinds = type(shape) is Circle, type(circle) is Circle, isinstance(shape, Square)
    return size, kinds, type(shape).__name__, hasattr(shape, "side"), callable(circle)
