"""Epochs of training until the loss is small: a loop around a loop, a tape and an optimizer."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1.0, 2.0], 2.0), ([1.0], 0.0), ([3.0, 1.0], -1.0), ([2.0], 1.0), ([], 1.0)]
ALWAYS = {"while loss": "before the first epoch the loss is not known"}
layer = rt.nn.layers.Dense(1, kernel_initializer="ones", use_bias=False, name="only")
model = rt.nn.Sequential([rt.nn.layers.InputLayer((1,)), layer], name="model")
optimizer = rt.nn.optimizers.SGD(0.1)


def trained_until_good(xs, slope):
    rows = rt.reshape(rt.convert_to_tensor(xs, rt.float32), [-1, 1])
    layer.kernel.assign([[1.0]])
    loss, epochs = 9.0, 0
    while loss > 0.01 and epochs < 50:
        for row in rt.data.Dataset.from_tensor_slices(rows).batch(1):
            with rt.GradientTape() as tape:
                loss = rt.reduce_mean((model(row) - slope * row) ** 2)
            slopes = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(slopes, model.trainable_variables))
        epochs += 1
    return layer.kernel.read_value(), epochs
