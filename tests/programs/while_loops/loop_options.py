"""Advice to the staging of a loop stands where its writer likes it, and changes no answer."""

import autograph as ag
import runtime as rt

ARRAYS = True
STAGES = ("while_loop",)
CASES = [([1, 2], 3), ([5], 0), ([1, 2], 1)]


def loop_options(xs, n):
    while n > 0:
        n = n - 1
        ag.set_loop_options(shape_invariants=[(xs, rt.TensorShape([None]))], maximum_iterations=9)
        xs = rt.concat([xs, xs[:1] + n], axis=0)
    return xs
