"""Loops over `itertools.count()` that a tensor ends: by a return, with a step, from a tensor on,
and from where `next` has come to."""

from itertools import count

STAGES = ("while_loop",)
CASES = [(50, 3), (1, 7), (-4, 1)]
ALWAYS = {"for ": "counting has no end"}


def root(n):
    for i in count():
        if i * i >= n:
            return i


def counted_without_an_end(n, m):
    below, numbers = [], count(m)
    for i in count(10, -3):
        if i < n:
            break
        below.append(i)
    first = next(numbers)
    for i in count(n):
        if i % 7 == 0:
            break
    for k in numbers:
        if k > i + first:
            break
    return root(n), below, i, k
