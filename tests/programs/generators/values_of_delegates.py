"""The value of a `yield from` where a tensor says how often it yields, and how it returns."""

STAGES = ("while_loop", "cond")
CASES = [(5,), (0,), (3,), (4,), (1,), (12,), (10,)]
ALWAYS = {"for v in told(n):": "the last item is always there"}


def digits(n):
    total = 0
    while n > 0:
        yield n % 2
        total, n = total + n % 2, n // 2
        if total > 1:
            return 10
    return total


def told(n):
    if n > 2:
        value = yield from digits(n - 3)
    else:
        value = yield from range(n)
    yield 7 if value is None else value


def values_of_delegates(n):
    found = 0
    for v in told(n):
        found = found * 3 + v
        if found > 30:
            break
    return found, list(told(n))
