"""A method puts a new object into an attribute on one path, the other changes the old one."""

from types import SimpleNamespace

STAGES = ("cond",)
CASES = [(1,), (-1,), (5,)]


class Meter:
    def __init__(self):
        self.reading = SimpleNamespace(value=5)

    def reset(self):
        self.reading = SimpleNamespace(value=0)


def replaced_by_a_method(x):
    meter = Meter()
    if x < 0:
        meter.reset()
    else:
        meter.reading.value += x
    return meter.reading.value
