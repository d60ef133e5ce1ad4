"""Operators, `len`, `bool`, `in`, `vars` and names of one of two objects are those of each."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Bag:
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return self.items[0] == item

    def __add__(self, other):
        if other > 0:
            return self.items[0] + other
        return other


class Sack(Bag):
    __iter__ = None


def builtins_of_one_of_two_objects(x):
    bag = Bag(7, 8) if x > 0 else Sack(3, 4)
    name = bag.__class__.__name__, getattr(bag, "name", None), len(vars(bag))
    return bag + x, len(bag), bool(bag), 3 in bag, name
