"""A vector that doubles its length in every iteration."""

import runtime as rt

ARRAYS = True
STAGES = ("while_loop",)
CASES = [([1, 2], 2), ([5], 0), ([1, 2], 1)]


def growing_shape(xs, n):
    while n > 0:
        xs = rt.concat([xs, xs], axis=0)
        n = n - 1
    return xs
