"""A setter that changes the value it is given runs where the program assigns, and only there."""

STAGES = ("cond", "while_loop")
CASES = [(4,), (0,), (20,), (1,)]


class Gauge:
    def __init__(self):
        self.held = 50
        self.times = 0

    @property
    def level(self):
        return self.held

    @level.setter
    def level(self, value):
        self.held = value + 1
        self.times += 1


def counting_setter(x):
    gauge = Gauge()
    if x > 10:
        gauge.level = 3
    for i in range(x):
        gauge.level = gauge.level + i
    return gauge.held, gauge.times
