"""An element that is cleared as it is read cannot be read again."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3, 1), (5, 2)]


def read_twice(n, step):
    values = rt.TensorArray(rt.int32, 3, clear_after_read=True).unstack([5, 6, 7])
    total = 0
    for i in range(0, n, step):
        total += values.read(i // step)
    return total
