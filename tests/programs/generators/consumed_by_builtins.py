"""Builtins, comprehensions and generator expressions over generators that loop in a graph."""

STAGES = ("cond", "while_loop")
CASES = [(6,), (1,), (3,)]
ALWAYS = {
    "tests = any(": "of nothing there is no largest item",
    "made = [": "as above",
    "for at, v in": "as above",
    "for k in range(n):": "of nothing there is no largest item",
}


def evens(n):
    for k in range(n):
        if k % 2 == 0:
            yield k


def consumed_by_builtins(n):
    whole = list(evens(n)), sum(evens(n)), max(evens(n)), sorted(evens(n), reverse=True)
    tests = any(v > 3 for v in evens(n)), all(v < 4 for v in evens(n))
    made = [v * v for v in evens(n) if v != 2], dict((v, v) for v in [1, 2])
    total = 0
    for at, v in enumerate((v + 1 for v in evens(n)), 3):
        total += at * v
    for v in map(lambda v: v * 3, filter(lambda v: v > 1, evens(n))):
        total += v
    for v, w in zip(evens(n), [5, 6]):
        total += v * w
    return whole, tests, made, total
