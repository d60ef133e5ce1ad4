"""A generator that is used again is not run ahead if an item that is not taken may raise."""

REFUSED = "StagedIterationError"
NAMES = "make a list of its items"
CASES = [([1, 2, 4, 3],), ([5],)]


def quotients(xs):
    for x in xs:
        yield 100 // (x - 3)


def generator_that_may_raise_later(xs):
    numbers, total = quotients(xs), 0
    for v in numbers:
        total = total + v
        if v < -60:
            break
    return total, next(numbers, 7)
