"""Tensors unpacked into names, a starred name and the arguments of a call."""

STAGES = ()
SIZED = "tensors are unpacked"
CASES = [([3, 5, 7],), ([-3, 0, 2],)]


def largest_first(a, b, c):
    return c, a, b


def unpacked_tensors(xs):
    a, b, c = xs
    first, *rest = xs
    *_, last = largest_first(*xs)
    return a, b + 0, c, first, rest[1], len(rest), last
