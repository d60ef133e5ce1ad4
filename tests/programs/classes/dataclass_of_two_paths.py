"""A dataclass made on two paths, or one of two, is changed as an object of any class is."""

from dataclasses import dataclass

STAGES = ("cond", "while_loop")
CASES = [(3,), (-3,), (0,), (1,)]


@dataclass
class Account:
    amount: int
    name: str = "a"

    def add(self, more):
        self.amount += more


def dataclass_of_two_paths(x):
    made = Account(x) if x > 0 else Account(0)
    made.add(5)
    one, two, last, kept = Account(1), Account(2, "b"), None, Account(x)
    taken = one if x > 0 else two
    taken.add(10)
    for i in range(x):
        if i == 1:
            last, kept = Account(7), Account(20)
        kept.amount += i
    return made.amount, one, two, kept.amount, 0 if last is None else last.amount
