"""Mean squared error of integers: the mean of integers is an integer."""

import runtime as tf

ARRAYS = True
STAGES = ()
CASES = [([7, 2, 7, 5, 2], [9, 9, 0, 8, 8]), ([1.0, 2.0], [1.5, 0.0])]


def get_MSE(y_true, y_pred):
    sq_diff = tf.pow(y_true - y_pred, 2)
    return tf.reduce_mean(sq_diff)
