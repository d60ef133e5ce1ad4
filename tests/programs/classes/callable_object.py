"""An object with `__call__`, called like a function."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class LeakyUnit:
    def __init__(self, slope):
        self.slope = slope

    def __call__(self, x):
        return x if x > 0 else x * self.slope


def callable_object(x):
    unit = LeakyUnit(10)
    return unit(x) + 1
