"""A TensorArray that grows takes all rows of a tensor, however many, and one more."""

import runtime as rt

STAGES = ("cond", "while_loop")
CASES = [([1.0, 2.0, 3.0],), ([2.0, -1.0],), ([2.0],), ([-4.0, 1.0],)]
ALWAYS = {"for at in rt.range(rows.size())": "one row at least is written"}


def filled_again(x):
    rows = rt.TensorArray(rt.float32, size=0, dynamic_size=True, element_shape=()).unstack(x)
    if x[0] > 1.5:
        rows = rows.unstack(x[1:])
    rows = rows.write(rows.size(), 9.0)
    total = 0.0
    for at in rt.range(rows.size()):
        total += rows.read(at) * rt.cast(at + 1, rt.float32)
    return total, rows.stack()
