"""Builtins passed to `map`, `filter`, `sorted`, `max` and `reduce` are called on tensors."""

from functools import reduce

STAGES = ("while_loop",)
SIZED = "functools.reduce is a loop of Python"
CASES = [([3.5, 1.0, 0.0],), ([-2.5, 2.25, 7.0],)]


def builtins_as_arguments(v):
    numbers = list(map(int, v)), list(map(float, v)), list(map(bool, v)), list(map(round, v))
    pairs = list(map(max, v, reversed(v))), list(map(pow, v, [2, 1, 3]))
    chosen = list(filter(bool, v)), sorted(v, key=abs), max(v, key=abs), reduce(min, v)
    texts = list(map("{:.2f}".format, v)), ",".join(map(str, map(int, v)))
    return numbers, pairs, chosen, texts
