"""A handler around a `yield` sees what the generator raises, not what the loop does."""

STAGES = ("while_loop", "try_except")
ALWAYS = {"for v in guarded(n):": "each number but two gives two items"}
CASES = [(5,), (2,), (0,), (3,), (9,), (1,)]


def guarded(n):
    for k in range(n):
        try:
            if k == 2:
                raise ValueError("two")
            yield 10 + k
        except ValueError:
            yield -1
        else:
            yield k


def guarded_yields(n):
    total, found = 0, 0
    for v in guarded(n):
        total = total * 2 + v
    try:
        for v in guarded(n):
            if v > 12:
                raise ValueError("of the loop")
            found = found + v
    except ValueError:
        found = found + 1000
    return total, found
