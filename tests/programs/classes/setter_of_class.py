"""A setter that a metaclass gives a class: its changes cannot be followed."""

REFUSED = "ContainerMutationError"
NAMES = "'Settings.limit'"
CASES = [(3,)]


class Meta(type):
    @property
    def limit(cls):
        return cls.held

    @limit.setter
    def limit(cls, value):
        cls.held = value + 1


class Settings(metaclass=Meta):
    held = 0


def setter_of_class(x):
    if x > 0:
        Settings.limit = 3
    return x
