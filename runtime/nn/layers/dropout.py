"""Layers that leave out a part of what they are given while a model is trained."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.graph.structured_control_flow import cond
from runtime.nn.layers.layer import Layer
from runtime.nn.seeds import dropped, seeds_of
from runtime.ops.arrays.shape import shape


class Dropout(Layer):
    """Makes about `rate` of the elements 0 in training, and the others larger by 1 / (1 - rate).

    Args:
        rate: from 0 to 1.
        noise_shape: the shape of the choice; None where it is as the input is.
        seed: for choices that can be had again.

    Example:
        >>> print(Dropout(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(rate, (int, float)) or not 0 <= rate <= 1:
            raise ArgumentValueError(f"rate lies from 0 to 1, is {rate!r}")
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.seed_generator = seeds_of(seed) if rate else None
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Return the inputs, with some made 0 if `training`."""
        if self.rate == 0 or training is None:
            return inputs
        if isinstance(training, Tensor):
            return cond(training, lambda: self._dropped(inputs), lambda: inputs)
        return self._dropped(inputs) if flag(training, "training") else inputs

    def _dropped(self, inputs: Any) -> Any:
        if self.rate == 1:
            return inputs * 0
        dims = self.noise_shape
        if dims is not None:
            sizes = shape(inputs)
            dims = [sizes[n] if size is None else size for n, size in enumerate(dims)]
        return dropped(inputs, self.rate, dims, self.seed_generator)
