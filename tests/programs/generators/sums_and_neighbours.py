"""`accumulate` and `pairwise` over generators whose lengths a tensor says, or that have no end."""

import itertools

STAGES = ("while_loop", "cond")
CASES = [(5,), (1,), (0,), (2,)]
ALWAYS = {"while True:": "it is endless", "for v in itertools": "it begins below"}


def odd(n):
    for k in range(n):
        yield 2 * k + 1


def doubling(k):
    while True:
        yield k
        k = 2 * k + 1


def sums_and_neighbours(n):
    sums = list(itertools.accumulate(odd(n), lambda a, b: a * b, initial=n))
    steps = [b * b - a for a, b in itertools.pairwise(odd(n))]
    total = 0
    for v in itertools.accumulate(doubling(n)):
        if v > 40:
            break
        total = total * 2 + v
    return sums, steps, total
