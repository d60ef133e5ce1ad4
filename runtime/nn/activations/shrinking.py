"""Activation functions that shrink, cut off or gate; those of `ops/` behind the usual ones."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import number
from runtime.core.tensor import Tensor
from runtime.errors import ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import split
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.cumulative import cumsum
from runtime.ops.arrays.reduction import reduce_max, reduce_sum
from runtime.ops.arrays.sorting import sort
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value, maximum, minimum
from runtime.ops.elementwise.comparison import greater, less
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import exp, sigmoid, sqrt, tanh
from runtime.ops.infer import axis_of
from runtime.ops.neural.functions import softplus


def celu(x: Any, alpha: float = 1.0) -> Tensor:
    """Return x above 0, else alpha * (exp(x / alpha) - 1); Barron (2017).

    >>> print(celu([0.0, 2.0]))
    rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    scale = number(alpha, "alpha")
    found: Tensor = maximum(tensor, 0.0) + scale * (exp(minimum(tensor, 0.0) / scale) - 1.0)
    return found


def glu(x: Any, axis: int = -1) -> Tensor:
    """Return the first half along an axis, times the sigmoid of the second; Dauphin et al. (2016).

    >>> print(glu([3.0, 0.0]))
    rt.Tensor([1.5], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    axis = static_int(axis, "axis")
    rank = tensor.shape.rank
    size = tensor.shape[axis_of(axis, rank)] if rank else None
    if rank == 0 or (size is not None and size % 2):
        raise ShapeError(f"glu halves axis {axis}, which has to be even, of shape {tensor.shape}")
    value, gate = split(tensor, 2, axis)
    found: Tensor = value * sigmoid(gate)
    return found


def hard_shrink(x: Any, threshold: float = 0.5) -> Tensor:
    """Return x, 0 where it is no further from 0 than `threshold`.

    >>> print(hard_shrink([0.25, -1.0]))
    rt.Tensor([ 0. -1.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    return where(greater(abs(tensor), number(threshold, "threshold")), tensor, zeros_like(tensor))


def log_sigmoid(x: Any) -> Tensor:
    """Return the logarithm of the sigmoid.

    >>> round(float(log_sigmoid(0.0)), 4)
    -0.6931
    """
    tensor: Any = to_tensor(x)
    found: Tensor = -softplus(-tensor)
    return found


def soft_shrink(x: Any, threshold: float = 0.5) -> Tensor:
    """Return x, nearer to 0 by `threshold`, and not beyond.

    >>> print(soft_shrink([0.25, -1.0]))
    rt.Tensor([ 0.  -0.5], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    far = number(threshold, "threshold")
    below = where(less(tensor, -far), tensor + far, zeros_like(tensor))
    return where(greater(tensor, far), tensor - far, below)


def sparse_plus(x: Any) -> Tensor:
    """Return 0 up to -1, x from 1 on, and (x + 1) ** 2 / 4 between.

    >>> print(sparse_plus([-2.0, 0.0, 3.0]))
    rt.Tensor([0.   0.25 3.  ], shape=(3,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    inside = clip_by_value(tensor, -1.0, 1.0) + 1.0
    return where(greater(tensor, 1.0), tensor, inside * inside / 4.0)


def sparse_sigmoid(x: Any) -> Tensor:
    """Return 0 up to -1, 1 from 1 on, and (x + 1) / 2 between.

    >>> print(sparse_sigmoid([-2.0, 0.0, 3.0]))
    rt.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    found: Tensor = (clip_by_value(x, -1.0, 1.0) + 1.0) / 2.0
    return found


def sparsemax(x: Any, axis: int = -1) -> Tensor:
    """Return probabilities along an axis, of which many are 0; Martins and Astudillo (2016).

    >>> print(sparsemax([1.0, 2.0]))
    rt.Tensor([0. 1.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    ordered: Any = sort(tensor, axis, "DESCENDING")
    places = cumsum(ones_like(ordered), axis)
    sums: Any = cumsum(ordered, axis)
    # So many of the largest ones stay above 0.
    stays = cast(greater(1.0 + places * ordered, sums), tensor.dtype)
    number_kept: Any = reduce_max(stays * places, axis, keepdims=True)
    kept_sum: Any = reduce_sum(stays * ordered, axis, keepdims=True)
    return maximum(tensor - (kept_sum - 1.0) / number_kept, 0.0)


def squareplus(x: Any, b: float = 4) -> Tensor:
    """Return (x + sqrt(x ** 2 + b)) / 2; Barron (2021).

    >>> print(squareplus([0.0]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    found: Tensor = (tensor + sqrt(tensor * tensor + number(b, "b"))) / 2.0
    return found


def tanh_shrink(x: Any) -> Tensor:
    """Return x - tanh(x).

    >>> print(tanh_shrink([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    found: Tensor = tensor - tanh(tensor)
    return found


def threshold(x: Any, threshold: float, default_value: float) -> Tensor:
    """Return x where it is above a number, else another number.

    >>> print(threshold([1.0, 3.0], 2.0, 0.0))
    rt.Tensor([0. 3.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    other = number(default_value, "default_value") * ones_like(tensor)
    return where(greater(tensor, number(threshold, "threshold")), tensor, other)
