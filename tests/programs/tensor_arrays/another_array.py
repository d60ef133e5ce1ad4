"""A TensorArray made anew in each iteration, from what the last one held."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(0,), (1,), (4,)]


def another_array(n):
    pair = rt.TensorArray(rt.int32, 2).unstack([0, 1])
    for _ in range(n):
        pair = rt.TensorArray(rt.int32, 2).unstack([pair.read(1), pair.read(0) + pair.read(1)])
    return pair.stack()
