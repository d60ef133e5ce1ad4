"""One of two objects, asked, called and changed."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Player:
    """One value and a method that decides by its argument."""

    def __init__(self, v):
        self.v = v

    def go(self, x):
        if x > 1:
            return self.v * x
        return self.v


def object_per_branch(x):
    p, q = Player(1), Player(2)
    o = p if x > 0 else q
    o.v = o.v + 10
    return o.go(x), p.v, q.v, o is p
