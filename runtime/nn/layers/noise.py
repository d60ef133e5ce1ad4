"""Layers that disturb what they are given while a model is trained."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.graph.structured_control_flow import cond
from runtime.nn.layers.layer import Layer
from runtime.nn.seeds import normal_like, seeds_of, uniform_like
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import greater_equal
from runtime.ops.elementwise.selection import where

# Klambauer et al., Self-Normalizing Neural Networks (2017): what selu gives at -infinity.
_SELU_LOWEST = -1.6732632423543772 * 1.0507009873554805


class Noise(Layer):
    """A layer that changes its inputs in training only; a subclass says how.

    Args:
        seed: for noise that can be had again.
        share: how much they are changed.
    """

    def __init__(self, seed: int | None = None, share: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # As in Keras, what draws nothing has no seeds.
        self.seed, self.seed_generator = seed, seeds_of(seed) if share else None
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Return the inputs, disturbed if `training`."""
        if isinstance(training, Tensor):
            return cond(training, lambda: self._checked(inputs), lambda: inputs)
        return self._checked(inputs) if flag(training, "training") else inputs

    def _checked(self, inputs: Any) -> Any:
        inputs = to_tensor(inputs)
        if not inputs.dtype.is_floating:
            raise DTypeError(
                f"layer {self.name!r} ({type(self).__name__}) disturbs floats, not "
                f"{inputs.dtype.name}: cast the input"
            )
        return self._disturbed(inputs)

    def _disturbed(self, inputs: Any) -> Any:
        """Return the inputs with noise."""
        return inputs

    def _normal(self, inputs: Any, mean: float, stddev: float) -> Any:
        return normal_like(shape_of(inputs), mean, stddev, inputs.dtype, self.seed_generator)


class GaussianNoise(Noise):
    """Adds normal numbers with mean 0.

    Args:
        stddev: their standard deviation, from 0 to 1.
        seed: for noise that can be had again.

    Example:
        >>> print(GaussianNoise(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(self, stddev: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(seed, _share(stddev, "stddev"), **kwargs)
        self.stddev = stddev

    def _disturbed(self, inputs: Any) -> Any:
        return inputs + self._normal(inputs, 0.0, self.stddev)


class GaussianDropout(Noise):
    """Multiplies with normal numbers with mean 1.

    Args:
        rate: from 0 to 1; the standard deviation is sqrt(rate / (1 - rate)), as that of `Dropout`.
        seed: for noise that can be had again.

    Example:
        >>> print(GaussianDropout(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(seed, _share(rate, "rate", below=True), **kwargs)
        self.rate = rate

    def _disturbed(self, inputs: Any) -> Any:
        if not self.rate:
            return inputs
        return inputs * self._normal(inputs, 1.0, math.sqrt(self.rate / (1 - self.rate)))


class AlphaDropout(Noise):
    """Makes about `rate` of the elements what selu is at its lowest, and keeps mean and variance.

    Args:
        rate: from 0, below 1.
        noise_shape: the shape of the choice; None where it is as the input is.
        seed: for choices that can be had again.

    Example:
        >>> print(AlphaDropout(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(seed, _share(rate, "rate", below=True), **kwargs)
        self.rate, self.noise_shape = rate, noise_shape

    def _disturbed(self, inputs: Any) -> Any:
        if not self.rate:
            return inputs
        sizes = shape_of(inputs)
        dims: Any = sizes
        if self.noise_shape is not None:
            dims = [sizes[n] if size is None else size for n, size in enumerate(self.noise_shape)]
        drawn = uniform_like(dims, inputs.dtype, self.seed_generator)
        kept = where(greater_equal(drawn, self.rate), inputs, _SELU_LOWEST)
        # The formula of Klambauer et al. for the same mean and variance as before.
        scale = ((1 - self.rate) * (1 + self.rate * _SELU_LOWEST**2)) ** -0.5
        return kept * scale - scale * _SELU_LOWEST * self.rate


def _share(value: Any, what: str, below: bool = False) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ArgumentValueError(f"{what} lies from 0 to 1, is {value!r}")
    if below and value == 1:
        raise ArgumentValueError(f"{what} has to be below 1: nothing of the inputs would be left")
    return value
