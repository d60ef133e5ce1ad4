"""The base class of initializers, which compute the initial value of a weight."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.dtypes import DTypeLike, as_dtype
from runtime.core.shapes import ShapeLike, as_shape
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, UnimplementedError
from runtime.nn.registry import Configured
from runtime.nn.seeds import SeedGenerator, default_seed, drawn_seed
from runtime.random import (
    normal,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
    truncated_normal,
    uniform,
)


class Initializer(Configured):
    """The base class of initializers: called with a shape, a subclass returns a tensor.

    >>> import autograph.runtime as rt
    >>> class Twos(Initializer):
    ...     def __call__(self, shape, dtype=None):
    ...         return rt.fill(shape, 2.0)
    >>> Twos()((2,)).numpy().tolist()
    [2.0, 2.0]
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        """Return a tensor of `shape`, of dtype float32 by default."""
        raise UnimplementedError(
            f"{type(self).__name__} has no `__call__`: define __call__(self, shape, dtype=None)"
        )


def float_dtype(dtype: Any, kind: str) -> Any:
    """Return the dtype of an argument; DTypeError if it is not a float dtype."""
    found = as_dtype("float32" if dtype is None else dtype)
    if not found.is_floating:
        raise DTypeError(f"{kind} makes floats, not {found.name}: give it a float dtype")
    return found


class RandomInitializer(Initializer):
    """The base class of random initializers.

    With a number as `seed`, each call returns the same values; with a SeedGenerator, other ones.
    """

    seed: Any = None
    _place: Any = None

    def _seeded(self, seed: Any) -> None:
        """Store a seed; without one, create a default seed at the moment Keras does."""
        self.seed = seed if isinstance(seed, SeedGenerator) else checked_seed(seed)
        self._place = default_seed() if seed is None else seed

    def uniform(self, shape: ShapeLike, low: float, high: float, dtype: DTypeLike | None) -> Tensor:
        """Return uniform random values; DTypeError if the dtype is not a float."""
        found = float_dtype(dtype, type(self).__name__)
        if self._place is None:
            return uniform(shape, low, high, found)
        return stateless_uniform(shape, drawn_seed(self._place), low, high, found)

    def normal(
        self, shape: ShapeLike, mean: float, stddev: float, dtype: DTypeLike | None
    ) -> Tensor:
        """Return normally distributed random values; DTypeError if the dtype is not a float."""
        found = float_dtype(dtype, type(self).__name__)
        if self._place is None:
            return normal(shape, mean, stddev, found)
        return stateless_normal(shape, drawn_seed(self._place), mean, stddev, found)

    def truncated(
        self, shape: ShapeLike, mean: float, stddev: float, dtype: DTypeLike | None
    ) -> Tensor:
        """Return normal numbers within two standard deviations; others are redrawn."""
        found = float_dtype(dtype, type(self).__name__)
        if self._place is None:
            return truncated_normal(shape, mean, stddev, found)
        return stateless_truncated_normal(shape, drawn_seed(self._place), mean, stddev, found)


def fans_of(shape: Any, axes: tuple[Any, Any] | None = None) -> tuple[float, float]:
    """Return the fan-in and the fan-out of a weight.

    Args:
        axes: the axes of inputs and of outputs. By default these are the last two; the others are
            the axes of a window, whose size multiplies both numbers.

    >>> fans_of((3, 3, 8, 16)), fans_of((10,)), fans_of(()), fans_of((4, 2, 3), ([0], [1, 2]))
    ((72, 144), (10, 10), (1, 1), (4, 6))
    """
    dims = whole_sizes(shape)
    if axes is not None:
        inputs, outputs = (math.prod(dims[axis] for axis in each) for each in axes)
        return inputs, outputs
    if not dims:
        return 1, 1
    if len(dims) == 1:
        return dims[0], dims[0]
    window = 1
    for dim in dims[:-2]:
        window *= dim
    return window * dims[-2], window * dims[-1]


def whole_sizes(shape: Any) -> tuple[int, ...]:
    """Return the sizes of a shape; ShapeError if one is unknown.

    >>> whole_sizes([2, 3])
    (2, 3)
    """
    found = as_shape(shape)
    if not found.is_fully_defined():
        raise ShapeError(f"the shape of a weight must be fully known, not {found}")
    return tuple(size for size in found.as_list() if size is not None)


def checked_seed(seed: Any) -> int | None:
    """Return a seed; ArgumentValueError if it is no whole number."""
    if seed is None or (isinstance(seed, int) and not isinstance(seed, bool)):
        return seed
    raise ArgumentValueError(f"a seed must be a whole number or None, not {seed!r}")
