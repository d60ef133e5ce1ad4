"""A method, a nested function and a second name of a dict all change state inside a loop."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


class Counter:
    def __init__(self):
        self.total = 0
        self.stats = {"k": 0}

    def add(self, v):
        self.total = self.total + v


def hidden_writes(n):
    counter = Counter()
    t = 0

    def bump():
        nonlocal t
        t = t + 1

    for i in range(n):
        counter.add(i)
        bump()
        counter.stats["k"] = counter.stats["k"] + i
    return counter.total, t, counter.stats["k"]
