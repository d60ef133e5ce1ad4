"""`__getitem__`, `__len__`, `__enter__` and `__exit__` of the user, deciding by tensors."""

STAGES = ("cond",)
CASES = [(1,), (-1,), (5,)]


class Clamped:
    def __init__(self, values):
        self.values, self.open = values, 0

    def __getitem__(self, i):
        if self.values[i] < 0:
            return self.open
        return self.values[i]

    def __len__(self):
        return len(self.values)

    def __enter__(self):
        self.open = 1 if self.values[0] > 0 else 2
        return self

    def __exit__(self, *error):
        self.open = self.open * 10


def own_container(x):
    clamped = Clamped((x, x * 7))
    with clamped as inside:
        total = inside[1] + inside[0] + inside.open + len(inside)
    return total, clamped.open
