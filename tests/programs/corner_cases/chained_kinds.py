"""A chain of comparisons of many kinds gives the value of its last evaluated comparison."""

PYTHON_ONLY = "comparisons that no tensor has"
CASES = [(2, [2, 3]), (3, [2, 3]), (7, [2, 3]), (0, [])]


class Odd:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return "" if self.v % 2 else ("less", self.v)


def chained_kinds(x, xs):
    found = 1 < x <= 3 in xs is not None
    odd = Odd(x) < Odd(1) < 5
    while 0 < x < 10 != x:
        x = x * 2 + 1
    return found, odd, x
