"""Functions of itertools over generators whose lengths a tensor says, or that have no end."""

import itertools

STAGES = ("while_loop", "cond")
ALWAYS = {"for v in itertools.chain(": "it goes over a number at least"}
CASES = [(5,), (1,), (0,), (9,)]


def evens(n):
    for k in range(n):
        if k % 2 == 0:
            yield k


def squares():
    k = 0
    while True:
        yield k * k
        k += 1


def parts_of_generators(n):
    first = list(itertools.islice(evens(n), 2)), list(itertools.islice(squares(), n, n + 3))
    ends = list(itertools.takewhile(lambda v: v < n, squares()))
    later = list(itertools.dropwhile(lambda v: v < 3, evens(n)))
    total = 0
    for v in itertools.chain(evens(n), [n]):
        total = total * 2 + v
    return first, ends, later, total
