"""The value of `yield from` is the inner generator's result, returned in a branch on a tensor."""

STAGES = ("cond",)
CASES = [(4,), (-4,)]


def inner(x):
    yield x
    if x > 0:
        return x * 2
    return -x


def outer(x):
    result = yield from inner(x)
    yield result + 1


def value_of_yield_from(x):
    first, second = outer(x)
    return first * 10 + second
