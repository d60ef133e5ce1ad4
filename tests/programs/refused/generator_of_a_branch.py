"""A generator that a branch creates, of a value of that branch, cannot be iterated over after
it."""

REFUSED = "StagedIterationError"
NAMES = "give it a value that is computed before"
CASES = [([1, 2], 1), ([3], -1)]


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def generator_of_a_branch(xs, t):
    numbers = positive(xs[1:]) if t > 0 else positive(xs)
    total = 0
    for v in numbers:
        total = total * 3 + v
    return total
