"""Random initializers: uniform, normal, orthogonal, and variance scaling (Glorot, He, LeCun)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from runtime.core.argument_checks import number, plain_text
from runtime.core.dtypes import DTypeLike
from runtime.core.shapes import Ints, ShapeLike
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.initializers.initializer import RandomInitializer, fans_of, whole_sizes
from runtime.ops.arguments import static_int
from runtime.ops.constant import constant


class RandomUniform(RandomInitializer):
    """Uniform numbers from `minval` (included) to `maxval` (excluded).

    >>> RandomUniform(0.0, 1.0, seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    config_names = ("minval", "maxval", "seed")

    def __init__(
        self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None
    ) -> None:
        self.minval, self.maxval = minval, maxval
        self._seeded(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return self.uniform(shape, self.minval, self.maxval, dtype)


class RandomNormal(RandomInitializer):
    """Normal numbers.

    >>> RandomNormal(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    config_names = ("mean", "stddev", "seed")

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev = mean, stddev
        self._seeded(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return self.normal(shape, self.mean, self.stddev, dtype)


class TruncatedNormal(RandomNormal):
    """Normal numbers within two standard deviations; others are redrawn.

    >>> bool((abs(TruncatedNormal(stddev=1.0, seed=1)((100,)).numpy()) <= 2).all())
    True
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return self.truncated(shape, self.mean, self.stddev, dtype)


class Orthogonal(RandomInitializer):
    """A matrix with orthogonal rows or columns of length `gain`; Saxe et al. (2013).

    With more than two axes, all but the last are taken as one.

    Raises:
        ShapeError: the shape has fewer than two axes.

    >>> q = Orthogonal(seed=1)((2, 2)).numpy()
    >>> bool(abs(q @ q.T - np.eye(2)).max() < 1e-6)
    True
    """

    config_names = ("gain", "seed")

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain = gain
        self._seeded(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        shape = whole_sizes(shape)
        if len(shape) < 2:
            raise ShapeError(f"Orthogonal needs two axes or more, not shape {tuple(shape)}")
        rows, columns = int(np.prod(shape[:-1])), int(shape[-1])
        tall = (max(rows, columns), min(rows, columns))
        numbers = self.normal(tall, 0.0, 1.0, "float32").numpy()
        q, r = np.linalg.qr(numbers)
        # The signs of R's diagonal make the matrix uniform among the orthogonal ones.
        q = q * np.sign(np.diag(r))
        matrix = q.T if rows < columns else q
        return constant(self.gain * matrix.reshape(shape), "float32" if dtype is None else dtype)


# -- initializers whose scale depends on fan-in and fan-out ----------------------------------------


# The standard deviation of a normal number cut off at two of its own.
_OF_TRUNCATED = 0.87962566103423978
_MODES = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("uniform", "truncated_normal", "untruncated_normal")


class VarianceScaling(RandomInitializer):
    """Numbers of the variance `scale` over the number of inputs, of outputs, or their mean.

    Args:
        mode: "fan_in", "fan_out" or "fan_avg".
        distribution: "truncated_normal", "untruncated_normal" or "uniform".
        input_axes, output_axes: the axes of the weights that count inputs and outputs; by default
            the last but one and the last.

    >>> bool((abs(VarianceScaling(3.0, "fan_in", "uniform", seed=1)((9, 2)).numpy()) <= 1.0).all())
    True
    """

    config_names: tuple[str, ...] = ("scale", "mode", "distribution", "seed")
    _axes: tuple[Any, Any] | None = None

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        input_axes: Ints | None = None,
        output_axes: Ints | None = None,
    ) -> None:
        if number(scale, "scale") <= 0:
            raise ArgumentValueError(f"scale must be greater than 0, not {scale}")
        if not isinstance(mode, str) or mode not in _MODES:
            raise ArgumentValueError(f"mode must be one of {', '.join(_MODES)}, not {mode!r}")
        if plain_text(distribution, "distribution") == "normal":
            distribution = "truncated_normal"
        if distribution not in _DISTRIBUTIONS:
            names = ", ".join(_DISTRIBUTIONS)
            raise ArgumentValueError(f"distribution must be one of {names}, not {distribution!r}")
        self.scale, self.mode, self.distribution = scale, mode, distribution
        if (input_axes is None) != (output_axes is None):
            raise ArgumentValueError("give both of input_axes and output_axes, or neither")
        self.input_axes, self.output_axes = input_axes, output_axes
        if input_axes is not None:
            self._axes = (_axes(input_axes, "input_axes"), _axes(output_axes, "output_axes"))
        self._seeded(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        variance = self.scale / self._fan(shape)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return self.uniform(shape, -limit, limit, dtype)
        if self.distribution == "truncated_normal":
            return self.truncated(shape, 0.0, math.sqrt(variance) / _OF_TRUNCATED, dtype)
        return self.normal(shape, 0.0, math.sqrt(variance), dtype)

    def get_config(self) -> dict[str, Any]:
        """Return the config for `from_config`; axes only if they were given."""
        axes = {"input_axes": self.input_axes, "output_axes": self.output_axes}
        return {**super().get_config(), **(axes if self.input_axes is not None else {})}

    def of_axes(self, inputs: Sequence[int], outputs: Sequence[int]) -> VarianceScaling:
        """Return the same initializer with these axes of inputs and of outputs."""
        found = copy(self)
        found._axes = (inputs, outputs)
        return found

    def _fan(self, shape: Any) -> float:
        inputs, outputs = fans_of(shape, self._axes)
        fans = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}
        return max(1.0, fans[self.mode])


def _axes(axes: Any, what: str) -> tuple[int, ...]:
    given = axes if isinstance(axes, (list, tuple)) else [axes]
    return tuple(static_int(axis, what) for axis in given)


class _NamedScaling(VarianceScaling):
    """A `VarianceScaling` with its own class, whose arguments are a seed and axes."""

    config_names = ("seed",)
    _options: tuple[float, str, str]

    def __init__(
        self,
        seed: int | None = None,
        input_axes: Ints | None = None,
        output_axes: Ints | None = None,
    ) -> None:
        super().__init__(*self._options, seed, input_axes, output_axes)


class GlorotUniform(_NamedScaling):
    """Uniform numbers of the variance 2 / (inputs + outputs); Glorot and Bengio (2010).

    >>> GlorotUniform(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    _options = (1.0, "fan_avg", "uniform")


class GlorotNormal(_NamedScaling):
    """Truncated normal numbers of the variance 2 / (inputs + outputs).

    Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks"
    (2010).

    >>> GlorotNormal(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    _options = (1.0, "fan_avg", "truncated_normal")


class HeUniform(_NamedScaling):
    """Uniform numbers of the variance 2 / inputs; He et al. (2015).

    >>> HeUniform(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    _options = (2.0, "fan_in", "uniform")


class HeNormal(_NamedScaling):
    """Truncated normal numbers of the variance 2 / inputs.

    He et al., "Delving deep into rectifiers" (2015).

    >>> HeNormal(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    _options = (2.0, "fan_in", "truncated_normal")


class LecunUniform(_NamedScaling):
    """Uniform numbers of the variance 1 / inputs; LeCun et al. (1998).

    >>> LecunUniform(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    _options = (1.0, "fan_in", "uniform")


class LecunNormal(_NamedScaling):
    """Truncated normal numbers of the variance 1 / inputs.

    LeCun et al., "Efficient BackProp" (1998).

    >>> LecunNormal(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    _options = (1.0, "fan_in", "truncated_normal")
