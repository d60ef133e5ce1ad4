"""One function, many graphs: a scalar and a vector are traced once each."""

import runtime as tf

STAGES = ()
CASES = [(5.5,), ([3.0, -3.0],), (-2.5,), ([-1.0, 1.0],)]


def my_relu(x):
    return tf.maximum(0.0, x)
