"""`__str__` and `__repr__` of a class take further arguments, which the program gives."""

STAGES = ("cond",)
CASES = [(2.0,), (-3.0,)]


class Amount:
    def __init__(self, value):
        self.value = value

    def __str__(self, unit="", *, long=False):
        return f"about {self.value}{unit}" if long else f"{self.value}{unit}"

    def __repr__(self, depth=1):
        return f"Amount{'!' * depth}"


def texts_with_arguments(x):
    amount = Amount(x * 2)
    if x > 0:
        text = amount.__str__("kg", long=True)
    else:
        text = amount.__str__(unit="g")
    return text, str(amount), amount.__repr__(depth=3), Amount.__repr__(amount)
