"""`super()` and `__class__` in branches, loops, comprehensions, lambdas and nested functions."""

STAGES = ("cond", "while_loop")
ALWAYS = {
    "for i in range(2 - x):": "x is at most zero there",
    "return inner() if __class__ is Derived else 0": "it is",
}
CASES = [(3,), (-3,), (2,), (1,)]


class Base:
    def m(self, x):
        return x + 1


class Derived(Base):
    def m(self, x):
        if x > 0:
            return super().m(x) + self.__own(x)
        for i in range(2 - x):
            x = super().m(x)
        nested = lambda: super(Derived, self).m(x)
        return [super(__class__, self).m(v) for v in (x,)][0] + nested()

    def __own(self, x):
        def inner():
            return super(Derived, self).m(x) * 10

        return inner() if __class__ is Derived else 0


def super_everywhere(x):
    return Derived().m(x)
