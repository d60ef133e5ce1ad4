"""Two loops read the same elements, after which all are stacked."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def read_in_two_loops(n):
    values = rt.TensorArray(rt.int32, 3, clear_after_read=True).unstack([5, 6, 7])
    total = 0
    for i in range(n):
        total += values.read(i)
    for i in range(n):
        total -= 2 * values.read(i)
    return total, values.stack()
