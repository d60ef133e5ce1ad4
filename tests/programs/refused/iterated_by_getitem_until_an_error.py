"""An object is iterated over by index up to an IndexError that a tensor decides on."""

REFUSED = "StagingError"
NAMES = "Squares"
CASES = [(0,), (1,), (4,)]


class Squares:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * i


def iterated_by_getitem_until_an_error(n):
    total = 0
    for square in Squares(n):
        total += square
    return total
