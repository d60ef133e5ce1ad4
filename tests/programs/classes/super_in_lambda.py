"""A lambda in a class says `super()`, and so does a generator expression, which Python refuses."""

CASES = [(1,), (2,)]
PYTHON_ONLY = "the functions are called with numbers"


class Base:
    def scaled(self, x):
        return x * 10


class Derived(Base):
    scaled = lambda self, x: super().scaled(x) + 1

    def all_scaled(self, x):
        try:
            return list(super().scaled(y) for y in (x,))
        except TypeError:
            return "refused"


def super_in_lambda(x):
    derived = Derived()
    return derived.scaled(x), derived.all_scaled(x)
