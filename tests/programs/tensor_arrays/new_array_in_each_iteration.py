"""Each iteration creates a TensorArray from the elements of the last one."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(0,), (1,), (4,)]


def new_array_in_each_iteration(n):
    pair = rt.TensorArray(rt.int32, 2).unstack([0, 1])
    for _ in range(n):
        pair = rt.TensorArray(rt.int32, 2).unstack([pair.read(1), pair.read(0) + pair.read(1)])
    return pair.stack()
