"""An item or attribute that an object may be without: who asks for it catches what it raises."""

STAGES = ("try_except",)
CASES = [(-1,), (2,), (7,)]


class Row:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * 2

    @property
    def root(self):
        if self.n < 0:
            raise AttributeError("no root")
        return self.n


class Shifted(Row):
    def __getitem__(self, i):
        return super().__getitem__(i + 1)


def missing_items_asked_for(n):
    total = 0
    for each in (Row(n), Shifted(n)):
        try:
            total += each[0]
            for i in range(1, 4):
                total += each[i]
        except IndexError as error:
            total += 100 + error.args[0]
        try:
            total += each.root
        except AttributeError:
            total -= 5
    return total
