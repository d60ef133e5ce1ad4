"""A loop variable is a tensor of another dtype after the first iteration."""

import runtime as rt

STAGES = ("while_loop",)
DIFFERS = {"widened": "the number before the loop joins the float after an iteration"}
CASES = [(3,), (0,), (1,)]


def loop_dtype(n):
    y = n * 1
    while n > 0:
        y = rt.cast(y, rt.float32) * 0.5
        n = n - 1
    return y
