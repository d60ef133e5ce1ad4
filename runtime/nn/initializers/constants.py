"""Constant initializers: zeros, ones, one number, the identity."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DTypeLike
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.nn.initializers.initializer import Initializer, whole_sizes
from runtime.ops.arrays.creation import fill, ones, zeros
from runtime.ops.constant import constant
from runtime.ops.linalg.matrices import eye


class Zeros(Initializer):
    """Zeros everywhere.

    >>> print(Zeros()((2,)))
    rt.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return zeros(shape, "float32" if dtype is None else dtype)


class Ones(Initializer):
    """Ones everywhere.

    >>> print(Ones()((2,)))
    rt.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return ones(shape, "float32" if dtype is None else dtype)


class Constant(Initializer):
    """One number everywhere, or values of the wanted shape.

    >>> print(Constant(3.0)((2,)))
    rt.Tensor([3. 3.], shape=(2,), dtype=float32)
    """

    config_names = ("value",)

    def __init__(self, value: TensorLike = 0.0, support_partition: bool = False) -> None:
        self.value = value

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        given = constant(self.value, "float32" if dtype is None else dtype)
        sizes: Any = shape
        return fill(shape, given) if given.shape.rank == 0 else constant(given, shape=list(sizes))


class Identity(Initializer):
    """The identity matrix, times `gain`.

    Raises:
        ShapeError: the shape is not that of a matrix.

    >>> print(Identity(2.0)((1, 2)))
    rt.Tensor([[2. 0.]], shape=(1, 2), dtype=float32)
    """

    config_names = ("gain",)

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        shape = whole_sizes(shape)
        if len(shape) != 2:
            raise ShapeError(f"Identity makes matrices, not weights of shape {tuple(shape)}")
        made: Any = eye(shape[0], shape[1], dtype="float32" if dtype is None else dtype)
        result: Tensor = made * self.gain
        return result
