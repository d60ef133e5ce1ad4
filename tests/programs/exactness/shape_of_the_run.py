"""Dimensions that only a run knows are counted with, compared, gone over and made shapes of."""

import runtime as rt

STAGES = ("cond", "while_loop")
CASES = [(2,), (0,), (1,)]


def shape_of_the_run(n):
    xs = rt.range(6)
    xs = xs[xs < n]
    (count,) = xs.shape
    total = 0
    for i in range(xs.shape[0]):
        total += xs[i]
    word = "empty" if xs.shape == (0,) else "some"
    ones = rt.ones((2,) + xs.shape)
    return count, total, word, ones, xs.shape[-1] // 2, f"{xs.shape}"
