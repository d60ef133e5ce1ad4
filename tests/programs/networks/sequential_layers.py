"""Layers one after the other as a model, with `dropout` and `flatten` outside of training."""

import runtime as rt

STAGES = ()
CASES = [([[[1.0, 2.0], [3.0, 4.0]]],), ([[[0.0, 1.0], [-1.0, 5.0]]],)]
model = rt.nn.Sequential(
    [
        rt.nn.layers.Flatten(input_shape=(2, 2)),
        rt.nn.layers.Dense(3, activation="relu", kernel_initializer="ones", name="first"),
        rt.nn.layers.Dropout(0.5),
        rt.nn.layers.Dense(1, kernel_initializer="ones", bias_initializer="ones", name="last"),
    ],
    name="row",
)


def sequential_layers(images):
    return model(rt.convert_to_tensor(images))
