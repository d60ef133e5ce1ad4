"""The text of an object in `__str__` and `__repr__` depends on its attributes."""

STAGES = ("cond",)
CASES = [(3,), (1,), (0,)]


class Apples:
    def __init__(self, count):
        self.count = count

    def __str__(self):
        return "one" if self.count == 1 else "several"

    def __repr__(self):
        if self.count > 1:
            return f"Apples({self})"
        return "Apple()"


def text_chosen_in_str(n):
    bag = Apples(n)
    return str(bag), f"{bag}: {bag!r}", "%s" % bag, bag.__str__() == "one"
