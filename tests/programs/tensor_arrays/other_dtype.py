"""TensorArrays of different dtypes on two paths are no one value."""

import runtime as rt

REFUSED = "BranchMismatch"
NAMES = "'values'"
CASES = [(1,), (7,)]


def other_dtype(x):
    values = rt.TensorArray(rt.int32, 1, element_shape=())
    if x > 4:
        values = rt.TensorArray(rt.float32, 1, element_shape=())
    return values.stack()
