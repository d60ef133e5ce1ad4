"""`__getitem__` of the user, asked for an item by a tensor, and by a number."""

STAGES = ("cond",)
CASES = [(1,), (-1,), (5,)]


class Clamped:
    def __init__(self, values):
        self.values, self.open = values, 0

    def __getitem__(self, i):
        if i < 0:
            i = i * 0
        return self.values[0] if i == 0 else self.values[1]

    def __enter__(self):
        self.open = 1 if self.values[0] > 0 else 2
        return self

    def __exit__(self, *error):
        self.open = self.open * 10


def own_index(x):
    clamped = Clamped((x, x * 7))
    with clamped as inside:
        total = inside[x] + inside[0] + inside.open
    return total, clamped.open
