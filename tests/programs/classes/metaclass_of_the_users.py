"""A metaclass whose `__call__` decides the value that an object is made of."""

STAGES = ("cond",)
CASES = [(-3,), (1,), (4,)]


class Positive(type):
    def __call__(cls, value):
        if value < 0:
            value = 0
        return super().__call__(value)


class Level(metaclass=Positive):
    def __init__(self, height):
        self.height = height


def metaclass_of_the_users(n):
    return Level(n).height + Level(n + 1).height * 10
