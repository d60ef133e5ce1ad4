"""Generators that iterate over others, delegate to them, and are methods of an object."""

STAGES = ("cond", "while_loop")
CASES = [(5,), (0,), (3,), (1,)]
ALWAYS = dict.fromkeys(("yield from (v * v", "for w in self.below(v + 2):"), "no v is negative")


class Steps:
    def __init__(self, width):
        self.width = width

    def below(self, n):
        at = 0
        while at < n:
            yield at
            at += self.width

    def pairs(self, n):
        for v in self.below(n):
            for w in self.below(v + 2):
                yield v, w

    def __iter__(self):
        yield from (v * v for v in self.below(self.width + 1) if v > 0)


def generators_in_generators(n):
    total = 0
    for v, w in Steps(2).pairs(n):
        total = total * 3 % 1009 + v + w
    return total, list(Steps(n + 1))
