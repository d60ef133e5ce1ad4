"""An element is read in a branch and once more behind it."""

import runtime as rt

STAGES = ("cond",)
CASES = [(3,), (-1,)]


def read_in_branch_and_after(x):
    values = rt.TensorArray(rt.int32, 2, clear_after_read=True).unstack([5, 6])
    if x > 0:
        x += values.read(1)
    return x + values.read(1)
