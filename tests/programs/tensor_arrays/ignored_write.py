"""A write whose result nobody takes is not lost: the TensorArray itself has changed."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(0,), (1,), (4,)]


def ignored_write(n):
    squares = rt.TensorArray(rt.int32, size=n)
    i = 0
    while i < n:
        squares.write(i, i * i)
        i += 1
    return squares.stack()
