"""A test on the sum of a tensor of any shape."""

import runtime as tf

ARRAYS = True
STAGES = ("cond",)
CASES = [(1.0,), ([5.0, 5.0],), ([0.5, 0.25],)]


def my_function(x):
    if tf.reduce_sum(x) <= 1:
        return x * x
    else:
        return x - 1
