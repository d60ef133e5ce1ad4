"""An iterator class of the user's whose `__next__` branches on a tensor."""

STAGES = ("cond",)
ALWAYS = {"for v in Growing(x):": "it ends after three"}
CASES = [(1,), (9,)]


class Growing:
    def __init__(self, start):
        self.value, self.turns = start, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.turns += 1
        if self.turns > 3:
            raise StopIteration
        if self.value < 5:
            self.value = self.value * 2
        return self.value


def own_iterator(x):
    total = 0
    for v in Growing(x):
        total = total * 10 + v
    return total
