"""Initializers that draw: uniform, normal and truncated normal numbers, orthogonal matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.errors import ShapeError
from runtime.nn.initializers.initializer import Drawn, whole_sizes
from runtime.ops.constant import constant


class RandomUniform(Drawn):
    """Uniform numbers from `minval` on below `maxval`.

    >>> RandomUniform(0.0, 1.0, seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    config_names = ("minval", "maxval", "seed")

    def __init__(
        self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None
    ) -> None:
        self.minval, self.maxval = minval, maxval
        self._seeded(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        return self.uniform(shape, self.minval, self.maxval, dtype)


class RandomNormal(Drawn):
    """Normal numbers.

    >>> RandomNormal(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """

    config_names = ("mean", "stddev", "seed")

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev = mean, stddev
        self._seeded(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        return self.normal(shape, self.mean, self.stddev, dtype)


class TruncatedNormal(RandomNormal):
    """Normal numbers, those beyond two standard deviations drawn anew.

    >>> bool((abs(TruncatedNormal(stddev=1.0, seed=1)((100,)).numpy()) <= 2).all())
    True
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        return self.truncated(shape, self.mean, self.stddev, dtype)


class Orthogonal(Drawn):
    """A matrix with orthogonal rows or columns of length `gain`; Saxe et al. (2013).

    Of more than two axes, all but the last count as one.

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

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        shape = whole_sizes(shape)
        if len(shape) < 2:
            raise ShapeError(f"Orthogonal needs two axes or more, the shape is {tuple(shape)}")
        rows, columns = int(np.prod(shape[:-1])), int(shape[-1])
        tall = (max(rows, columns), min(rows, columns))
        numbers = self.normal(tall, 0.0, 1.0, "float32").numpy()  # type: ignore[attr-defined]
        q, r = np.linalg.qr(numbers)
        # The signs of R's diagonal make the matrix uniform among the orthogonal ones.
        q = q * np.sign(np.diag(r))
        matrix = q.T if rows < columns else q
        return constant(self.gain * matrix.reshape(shape), "float32" if dtype is None else dtype)
