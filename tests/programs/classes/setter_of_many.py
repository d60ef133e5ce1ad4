"""A setter that changes a class, a global and a deeper object through a function."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]
seen_before = [0]


class Meter:
    total = 0

    def __init__(self):
        self.parts = {"all": ([1], [2])}

    @property
    def level(self):
        return self.parts["all"][1][0]

    @level.setter
    def level(self, value):
        self.parts["all"][1][0] = value
        Meter.total = 7
        seen(1)


def seen(n):
    seen_before[0] = n


def setter_of_many(x):
    meter = Meter()
    if x > 0:
        meter.level = x
    result = meter.level, Meter.total, seen_before[0]
    Meter.total = seen_before[0] = 0
    return result
