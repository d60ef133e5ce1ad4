"""The merging layers as functions: `add([x, y])`."""

from __future__ import annotations

from typing import Any

from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor
from runtime.nn.layers.merging import (
    Add,
    Average,
    Concatenate,
    Dot,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
)


def add(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the sum of a list of tensors: see `Add`.

    >>> from runtime.ops.constant import constant
    >>> print(add([constant([1.0]), constant([2.0])]))
    rt.Tensor([3.], shape=(1,), dtype=float32)
    """
    return Add(**kwargs)(inputs)


def subtract(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the first of two tensors less the second: see `Subtract`.

    >>> from runtime.ops.constant import constant
    >>> print(subtract([constant([1.0]), constant([2.0])]))
    rt.Tensor([-1.], shape=(1,), dtype=float32)
    """
    return Subtract(**kwargs)(inputs)


def multiply(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the product of a list of tensors: see `Multiply`.

    >>> from runtime.ops.constant import constant
    >>> print(multiply([constant([3.0]), constant([2.0])]))
    rt.Tensor([6.], shape=(1,), dtype=float32)
    """
    return Multiply(**kwargs)(inputs)


def average(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the mean of a list of tensors: see `Average`.

    >>> from runtime.ops.constant import constant
    >>> print(average([constant([1.0]), constant([2.0])]))
    rt.Tensor([1.5], shape=(1,), dtype=float32)
    """
    return Average(**kwargs)(inputs)


def maximum(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the largest elements of a list of tensors: see `Maximum`.

    >>> from runtime.ops.constant import constant
    >>> print(maximum([constant([1.0]), constant([2.0])]))
    rt.Tensor([2.], shape=(1,), dtype=float32)
    """
    return Maximum(**kwargs)(inputs)


def minimum(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the smallest elements of a list of tensors: see `Minimum`.

    >>> from runtime.ops.constant import constant
    >>> print(minimum([constant([1.0]), constant([2.0])]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    return Minimum(**kwargs)(inputs)


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Tensor:
    """Return tensors concatenated along an axis: see `Concatenate`.

    >>> from runtime.ops.constant import constant
    >>> print(concatenate([constant([[1.0]]), constant([[2.0]])]))
    rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """
    return Concatenate(axis, **kwargs)(inputs)


def dot(inputs: Any, axes: AxisLike = -1, **kwargs: Any) -> Tensor:
    """Return sums of products of two tensors along an axis of each: see `Dot`.

    >>> from runtime.ops.constant import constant
    >>> print(dot([constant([[1.0, 2.0]]), constant([[3.0, 4.0]])]))
    rt.Tensor([[11.]], shape=(1, 1), dtype=float32)
    """
    return Dot(axes, **kwargs)(inputs)
