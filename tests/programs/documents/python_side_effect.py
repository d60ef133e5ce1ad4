"""`print` runs while tracing only; the multiplication runs with every call."""

import runtime as tf

STAGES = ()
DIFFERS = {"printed": "Python prints while tracing, which the second call does not"}
CASES = [(2,), (3,)]


def python_side_effect(x):
    print("Tracing!")
    return x * x + tf.constant(2)
