"""A layer, a model, and a training loop with a tape."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import assert_type

import autograph as ag
import autograph.runtime as rt
from autograph.runtime import Tensor, nn


class Affine(nn.layers.Layer):
    """A layer with two weights."""

    def __init__(self, units: int, name: str | None = None) -> None:
        super().__init__(name=name)
        self.units = units

    def build(self, input_shape: rt.TensorShape) -> None:
        self.w = self.add_weight(name="w", shape=(input_shape[-1], self.units))
        self.b = self.add_weight(name="b", shape=(self.units,), initializer="zeros")

    def call(self, inputs: Tensor) -> Tensor:
        return inputs @ self.w + self.b


class Network(nn.Model):
    """A model of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.layers.Dense(4, activation="relu", kernel_initializer="he_normal")
        self.out = Affine(1)

    def call(self, inputs: Tensor, training: bool = False) -> Tensor:
        hidden = self.hidden(inputs)
        assert_type(hidden, Tensor)
        if training:
            hidden = rt.nn.dropout(hidden, 0.1, seed=1)
        found: Tensor = self.out(hidden)
        return found


model = Network()
optimizer = nn.optimizers.Adam(learning_rate=0.01)
loss_of = nn.losses.MeanSquaredError()
average = nn.metrics.Mean()


@ag.function
def train_step(x: Tensor, y: Tensor) -> Tensor:
    with rt.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    assert_type(loss, Tensor)
    weights = model.trainable_variables
    assert_type(list(weights), list[rt.Variable])
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss


x = rt.random.normal((8, 3), seed=1)
y = rt.reduce_sum(x, axis=1, keepdims=True)
for _ in range(2):
    loss = train_step(x, y)
    assert_type(loss, Tensor)
    average.update_state(loss)
assert_type(float(average.result()), float)

v = rt.Variable(2.0)
with rt.GradientTape(persistent=True) as tape:
    tape.watch(x)
    square = v * v
assert_type(rt.convert_to_tensor(tape.gradient(square, v)), Tensor)
v.assign_sub(0.1 * tape.gradient(square, v))
for gradient in tape.gradient(square, [v]):
    print(gradient)

stack = nn.Sequential([nn.layers.Flatten(), nn.layers.Dense(2), nn.layers.Softmax()])
stack.compile(optimizer="sgd", loss="mse", metrics=["accuracy"])
history = stack.fit(x, rt.zeros((8, 2)), epochs=1, verbose=0)
print(sorted(history.history), stack.predict(x, verbose=0).shape, stack.count_params())
assert_type(nn.layers.Conv2D(3, (2, 2), padding="same")(rt.zeros((1, 4, 4, 1))), Tensor)
assert_type(nn.losses.huber(y, y), Tensor)
assert_type(nn.activations.gelu(x), Tensor)


def mistakes() -> None:
    nn.layers.Dense("four")  # error
    nn.layers.Dense(4, use_bias="a", activation=3)  # error
    nn.optimizers.Adam({"a": 1})  # error
    nn.optimizers.Adamm()  # error
    train_step(x)  # error
    tape.gradien(square, v)  # error
    tape.gradient()  # error
    tape.watch()  # error
    loss_of(y)  # error
    stack.fit(x, y, epoch=1)  # error
    stack.evaluate(x, y, batch_sise=1)  # error
    stack.layers[0].weight  # error
    stack.compil(optimizer="sgd")  # error
    nn.layers.Conv2D(3)  # error
    model.trainable_variable  # error


class Scaled(nn.layers.Dense):
    """A layer that hands keywords on."""

    def __init__(self, units: int, name: str | None = None) -> None:
        super().__init__(units, name=name, trainable=False, dtype="float32")


small = nn.layers.Dropout(0.5, name="small", trainable=True, input_shape=(3,))
quick = nn.optimizers.SGD(0.1, clipnorm=1.0, use_ema=True, name="quick")


def with_misspelled_keywords() -> None:
    nn.layers.Dropout(0.5, nmae="small")  # error
    nn.layers.Dropout(0.5, trainable="yes")  # error
    nn.optimizers.SGD(0.1, clipnrom=1.0)  # error
    nn.optimizers.SGD(0.1, clipnorm="1.0")  # error


def models(path: str) -> None:
    stored = nn.models.load_model(path)
    assert_type(stored, nn.Model)
    assert_type(stored.layers, list[nn.layers.Layer])
    assert_type(nn.models.clone_model(stack), nn.Sequential)
    assert_type(stored.get_layer("out").weights, Sequence[rt.Variable])


def sequences(x: Tensor) -> None:
    last: Tensor = nn.layers.LSTM(3)(x)
    print(last.shape, nn.layers.GRU(3)(x).dtype, nn.layers.Bidirectional(nn.layers.LSTM(2))(x))
    output, h, c = nn.layers.LSTM(3, return_state=True)(x)
    print(output.shape, h, c, nn.layers.MultiHeadAttention(2, 3)(x, x).shape)


def outputs(x: Tensor) -> None:
    model = rt.nn.Sequential([rt.nn.layers.Dense(3)])
    assert_type(model(x), Tensor)
    assert_type(rt.nn.layers.Concatenate()([x, model(x)]), Tensor)
    model.compile(optimizer="adam", loss="mse")
    assert_type(model.evaluate(x, x, return_dict=True), dict[str, float])
    reached: float = model.evaluate(x, x)
    print(reached, model.predict(x).mean(), model.get_weights()[0].shape)
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    first, second = tape.jacobian(y, [x, x])
    print(tape.jacobian(y, x).shape, first.shape, second.shape)
