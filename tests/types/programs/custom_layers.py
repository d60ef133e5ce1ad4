"""Layers and models of one's own: a call has the type that `call` returns."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import autograph as ag
import autograph.runtime as rt
from autograph.runtime import Tensor, nn


class Scale(nn.layers.Layer):
    """A layer with a weight for each column."""

    def __init__(self, factor: float = 1.0, *, name: str | None = None) -> None:
        super().__init__(name=name)
        self.factor = factor

    def build(self, input_shape: rt.TensorShape) -> None:
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="w")

    def call(self, inputs: Tensor) -> Tensor:
        return inputs * self.w * self.factor


class Split(nn.layers.Layer):
    """A layer with two results."""

    def call(self, inputs: Tensor, at: int = 1) -> tuple[Tensor, Tensor]:
        return inputs[:, :at], inputs[:, at:]


class Network(nn.Model):
    """A model of these layers."""

    def __init__(self) -> None:
        super().__init__(name="network")
        self.scale = Scale(2.0)
        self.split = Split()
        self.drop = nn.layers.Dropout(0.5)

    def call(self, inputs: Tensor, training: bool = False) -> Tensor:
        left, right = self.split(self.scale(inputs))
        assert_type(left, Tensor)
        return self.drop(left, training=training) + right

    @ag.function
    def error_of(self, x: Tensor, y: Tensor) -> Tensor:
        return rt.reduce_mean((self(x) - y) ** 2.0)


model = Network()
x = rt.ones([3, 2])
assert_type(Scale()(x), Tensor)
assert_type(Split()(x, at=1), tuple[Tensor, Tensor])
assert_type(model(x), Tensor)
assert_type(model(np.ones([3, 2]), training=True), Tensor)
assert_type(model.scale.w, rt.Variable)
with rt.GradientTape() as tape:
    loss = model.error_of(x, rt.zeros([3, 1]))
assert_type(loss, Tensor)
gradients = tape.gradient(loss, model.trainable_variables)
nn.optimizers.SGD(0.1).apply_gradients(zip(gradients, model.trainable_variables))


def wrong() -> None:
    Scale(factr=2.0)  # error
    model.error_of(x)  # error
    model.scale(x).shpe  # error
    first, second, third = model.split(x)  # error
