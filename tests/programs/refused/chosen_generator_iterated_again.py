"""Which of two generators a loop has consumed is not known while it is traced."""

REFUSED = "StagedIterationError"
NAMES = "its remaining items"
CASES = [([1, -2, 3], 1), ([-1, 4], -1)]


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def chosen_generator_iterated_again(xs, t):
    one, other = positive(xs), (2 * x for x in positive(xs))
    total = 0
    for v in one if t > 0 else other:
        total = total * 3 + v
    for v in other:
        total = total * 5 + v
    return total
