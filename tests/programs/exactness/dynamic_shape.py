"""Dimensions that only a run knows are computed with, compared, iterated over and used in
shapes."""

import runtime as rt

STAGES = ("cond", "while_loop")
CASES = [(2,), (0,), (1,)]


def dynamic_shape(n):
    xs = rt.range(6)
    xs = xs[xs < n]
    (count,) = xs.shape
    total = 0
    for i in range(xs.shape[0]):
        total += xs[i]
    word = "empty" if xs.shape == (0,) else "some"
    ones = rt.ones((2,) + xs.shape)
    return count, total, word, ones, xs.shape[-1] // 2, f"{xs.shape}"
