"""Writing past the end of a TensorArray that does not grow is an error of the running program."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(2,), (5,), (1,), (0,)]


def past_the_end(n):
    values = rt.TensorArray(rt.int32, 3, element_shape=())
    for i in range(n):
        values.write(i, i)
    return values.stack()
