"""A class whose `__setattr__` stores another value than the one assigned."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Doubling:
    def __init__(self):
        self.value = 5

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


def own_setattr(x):
    o = Doubling()
    if x > 0:
        o.value = x
    return o.value
