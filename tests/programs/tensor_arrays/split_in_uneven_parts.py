"""A TensorArray is split into parts whose lengths the call tells, and read in a loop."""

import runtime as rt

STAGES = ("cond",)
CASES = [([1, 2, 3, 4], 1), ([1, 2, 3, 4], 2), ([5, 6], 0), ([5], 1)]


def split_in_uneven_parts(values, first):
    count = len(values)
    parts = rt.TensorArray(rt.int32, size=2)
    parts = parts.split(rt.constant(values), rt.stack([first, count - first]))
    total = 0
    for i in range(2):
        if first > 1:
            total += rt.reduce_sum(parts.read(i)) * (i + 1)
        else:
            total -= rt.reduce_sum(parts.read(i))
    return total, parts.concat()
