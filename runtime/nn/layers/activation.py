"""Layers that apply a function to each element."""

from __future__ import annotations

from typing import Any

from runtime.nn import activations
from runtime.nn.layers.activated import activated
from runtime.nn.layers.layer import Layer


class Activation(Layer):
    """Applies a function.

    Args:
        activation: a name, such as "relu", or a function of a tensor.

    Example:
        >>> print(Activation("relu")([-1.0, 2.0]))
        rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the function of the inputs."""
        return activated(self.activation, inputs)
