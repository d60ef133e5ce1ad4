"""Class patterns on one of two objects, and on an object or None."""

STAGES = ("cond",)
CASES = [(3,), (1,), (-3,)]


class Coin:
    __match_args__ = ("worth",)

    def __init__(self, worth):
        self.worth = worth


class Note:
    def __init__(self, worth):
        self.worth = worth


def value(money):
    match money:
        case Coin(1):
            return 100
        case Coin(worth) | Note(worth=worth) if worth > 0:
            return worth
        case Note():
            return money.worth * 10
        case None:
            return 0


def class_of_what_is_chosen(x):
    maybe = Coin(x) if x > 0 else None
    return value(Coin(x) if x > 0 else Note(x)), value(maybe), value(maybe or Note(x))
