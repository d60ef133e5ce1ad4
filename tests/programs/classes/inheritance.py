"""`super()` without arguments and an overridden method inside converted code."""

STAGES = ("cond",)
CASES = [(4,), (-4,)]


class Base:
    def value(self, x):
        return x + self.bonus()

    def bonus(self):
        return 1


class Derived(Base):
    def value(self, x):
        if x > 0:
            return super().value(x) * 2
        return super().value(-x)

    def bonus(self):
        return 10


def inheritance(x):
    return Derived().value(x) - Base().value(x)
