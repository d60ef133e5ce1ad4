"""A method with a conditional; `self` holds a Python number."""

STAGES = ("cond",)
CASES = [(7,), (2,)]


class Clip:
    def __init__(self, limit):
        self.limit = limit

    def apply(self, x):
        if x > self.limit:
            return self.limit
        return x


def method_with_branch(x):
    return Clip(5).apply(x) + Clip(3).apply(x)
