"""Results of a loop collected in a TensorArray that grows."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(0,), (1,), (4,)]


def write_in_loop(n):
    squares = rt.TensorArray(rt.int32, size=0, dynamic_size=True, element_shape=())
    for i in range(n):
        squares = squares.write(i, i * i)
    return squares.stack()
