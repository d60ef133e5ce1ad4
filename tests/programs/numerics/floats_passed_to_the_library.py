"""A number that `float` returns is a literal to the library: it becomes a float32."""

import runtime as rt

STAGES = ()
CASES = [(0.1,), (2.5,)]


def floats_passed_to_the_library(x):
    number = float(x) / 3
    wide = rt.constant(1.0, rt.float64)
    filled = rt.fill(rt.shape(rt.ones([2])), number)
    return rt.exp(number), rt.stack([number, 1]), filled, rt.add(wide, number), number > 0.1
