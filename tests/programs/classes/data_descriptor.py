"""A descriptor that keeps values under a name of its own."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (1,)]


class Tripled:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return instance.__dict__[self.name]

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value * 3


class Box:
    side = Tripled()

    def __init__(self):
        self.side = 1


def data_descriptor(x):
    box = Box()
    if x > 0:
        box.side = x
    while x > 0:
        box.side = box.side + x
        x = x - 1
    return box.side
