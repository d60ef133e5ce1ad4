"""A test of `None` before a test of a tensor, in one condition."""

import runtime as rt

ARRAYS = True
STAGES = ("cond",)
CASES = [([1, 2],), ([1, -2],)]


def mask_or_none(xs):
    return chosen(xs, None), chosen(xs, xs < 0)


def chosen(xs, mask):
    if mask is not None and rt.reduce_any(mask):
        return rt.reduce_sum(xs) * 10
    return rt.reduce_sum(xs)
