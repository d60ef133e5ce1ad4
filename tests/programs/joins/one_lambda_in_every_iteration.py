"""A lambda created in every iteration, and used after the loop, is one function; so is a method."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


class Scale:
    def __init__(self, by):
        self.by = by

    def of(self, x):
        return x * self.by


def one_lambda_in_every_iteration(n):
    factor, scale = 1, Scale(2)
    chosen, method = abs, abs
    while n > 0:
        n -= 1
        factor += n
        chosen = lambda x: x + factor
        method = scale.of
    return chosen(-5), method(-7)
