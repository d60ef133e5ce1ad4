"""A dict that counts how often its items are assigned."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (1,)]


class Counting(dict):
    def __init__(self, **items):
        super().__init__(**items)
        self.times = 0

    def __setitem__(self, key, value):
        self.times += 1
        super().__setitem__(key, value)


def counting_dict(x):
    d = Counting(k=1)
    if x > 0:
        d["k"] = 9
    for i in range(x):
        d["k"] += i
    return d["k"], d.times
