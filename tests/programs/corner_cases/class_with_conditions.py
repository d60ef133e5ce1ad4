"""A constructor, an operator and a property with conditions in them."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Clipped:
    def __init__(self, v):
        if v > 2:
            v = v * 0 + 2
        self.v = v

    def __add__(self, other):
        if self.v > 0:
            return self.v + other
        return self.v - other

    @property
    def size(self):
        return self.v if self.v > 0 else -self.v


def class_with_conditions(x):
    clipped = Clipped(x)
    return clipped.v, clipped + 10, clipped.size
