"""An element is read more than once, also where it may be cleared as it is read."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(1, 2), (3, 1), (3, 2), (0, 2)]


def read_twice(n, times):
    values = rt.TensorArray(rt.int32, 3, clear_after_read=True).unstack([5, 6, 7])
    total = 0
    for i in range(n):
        total += values.read(i // times)
    return total
