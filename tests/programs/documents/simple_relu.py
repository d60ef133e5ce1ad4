"""The conditional of the introduction to graphs: a tensor test with a `return` in both branches."""

import runtime as tf

STAGES = ("cond",)
CASES = [(1,), (-1,), (2.5,)]


def simple_relu(x):
    if tf.greater(x, 0):
        return x
    else:
        return 0
