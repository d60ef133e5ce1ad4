"""Generators of a class and of a nested function, of which a tensor chooses one, fill a list."""

STAGES = ("cond", "while_loop")
CASES = [([1, -2, 3], 5), ([1, -2, -3], -1), ([], 5), ([], -1), ([4], 5), ([-4], -1)]


class Bag:
    def __init__(self, xs, factor):
        self.xs, self.factor = xs, factor

    def big(self, log):
        for x in self.xs:
            if x > 0:
                log.append(x)
                yield x * self.factor


def chosen_with_a_log(xs, t):
    log = []

    def noisy(factor):
        for x in xs:
            if x < 0:
                log.append(x * factor)
                yield x
        log.append(-1)

    one, total = Bag(xs, 2), 0
    for v in one.big(log) if t > 0 else noisy(10):
        total = total * 3 + v
    return total, log
