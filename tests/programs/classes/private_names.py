"""Private names are mangled with the class that contains the code, not with the object's class."""

STAGES = ("cond",)
CASES = [(4,), (-4,)]


class Meter:
    def __init__(self):
        self.__rate = 3

    def read(self, x):
        return x * self.__rate if x > 0 else self.__rate


class Gauge(Meter):
    def __init__(self):
        super().__init__()
        self.__rate = 5


def private_names(x):
    return Gauge().read(x)
