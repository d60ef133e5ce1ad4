"""Returns that skip a yield, one that is never reached, and one that overrides another."""

PYTHON_ONLY = "its branches decide whether it yields"
CASES = [(0,), (1,), (2,)]


def empty():
    return
    yield


def stopping(n):
    if n == 0:
        return "early"
    for i in range(2):
        if i == n:
            return i
        yield i


def overriding(n):
    try:
        if n > 1:
            return "body"
        yield n
    finally:
        if n:
            return "finally"


def return_before_yield(n):
    def both():
        yield [(yield from stopping(n)), (yield from overriding(n))]

    return list(both()), list(empty())
