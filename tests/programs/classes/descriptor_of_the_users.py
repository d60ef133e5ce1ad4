"""A descriptor that clips the values it is given."""

STAGES = ("cond",)
CASES = [(-3,), (1,), (4,)]


class Clipped:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, kind=None):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        setattr(obj, self.name, value if value > 0 else 0)


class Level:
    height = Clipped()

    def __init__(self, height):
        self.height = height


def descriptor_of_the_users(n):
    level = Level(n)
    level.height -= 1
    return level.height
