"""A vector that grows by one element an iteration."""

import runtime as rt

ARRAYS = True
STAGES = ("while_loop",)
CASES = [([1], 3), ([1], 1), ([4, 5], 0)]


def growing_by_one(xs, n):
    for i in range(n):
        xs = rt.concat([xs, xs[-1:] + i], axis=0)
    return xs
