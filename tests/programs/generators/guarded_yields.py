"""A handler around a `yield` sees the exceptions of the generator, not those of the loop."""

STAGES = ("while_loop", "try_except")
CASES = [(5,), (2,), (0,), (3,), (9,), (1,)]


def guarded(n):
    for k in range(n):
        try:
            if k == 2:
                raise ValueError
            yield 10 + k
        except ValueError:
            yield -1


def guarded_yields(n):
    found = 0
    total = sum(guarded(n))
    try:
        for v in guarded(n):
            if v > 12:
                raise ValueError("of the loop")
            found = found + v
    except ValueError:
        found = found + 1000
    return total, found
