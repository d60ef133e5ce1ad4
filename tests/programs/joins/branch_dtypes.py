"""Two branches leave tensors of different dtypes in one variable."""

import runtime as rt

STAGES = ("cond",)
DIFFERS = {"widened": "an int of one branch joins the float of the other"}
CASES = [(3,), (-3,)]


def branch_dtypes(x):
    if x > 0:
        y = rt.cast(x, rt.int64)
    else:
        y = rt.cast(x, rt.float32)
    return y
