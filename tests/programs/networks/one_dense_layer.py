"""A dense layer with weights that are known, called on as many rows as there are."""

import runtime as rt

STAGES = ()
CASES = [([[1.0, 2.0], [-3.0, 4.0]],), ([[0.5, 0.0]],)]
layer = rt.nn.layers.Dense(3, activation="relu", kernel_initializer="ones", name="only")
layer.build((None, 2))


def one_dense_layer(rows):
    return layer(rt.convert_to_tensor(rows))
