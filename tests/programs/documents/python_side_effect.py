"""`print` runs while tracing only; the multiplication runs with every call."""

import runtime as tf

STAGES = ()
CASES = [(2,), (3,)]


def python_side_effect(x):
    print("Tracing!")
    return x * x + tf.constant(2)
