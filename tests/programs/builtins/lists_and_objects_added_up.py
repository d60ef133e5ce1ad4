"""`sum` and `reduce` of values that are no numbers: lists, objects, and results of functions."""

from functools import reduce

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        return Money(self.cents + other.cents)

    def __iter__(self):
        return iter([self.cents])


def lists_and_objects_added_up(n):
    pairs, coins = [], []
    for i in range(n):
        pairs.append([i, i + 1])
        coins.append(Money(i + 1))
    together = sum(coins, Money(100)).cents + sum([Money(n), Money(1)], Money(2)).cents
    product = reduce(lambda a, b: a * 2 + len(b), pairs, 1)
    return sum(pairs, []), together, product, reduce(max, map(len, [*pairs, [0]]))
