"""Clipping of tensors to a maximum norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.ops.arguments import static_axes
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import maximum, minimum
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import is_finite, sqrt


def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: AxisLike | None = None, name: str | None = None
) -> Tensor:
    """Return `t`, scaled down where its Euclidean norm along `axes` exceeds `clip_norm`.

    >>> print(clip_by_norm([3.0, 4.0], 2.5))
    rt.Tensor([1.5 2. ], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(t)
    limit = to_tensor(clip_norm, tensor.dtype)
    squares = reduce_sum(tensor * tensor, static_axes(axes), keepdims=True)
    # The root has no finite gradient at 0, so it is not computed there.
    is_positive = squares > 0
    length = where(is_positive, sqrt(where(is_positive, squares, ones_like(squares))), squares)
    result: Tensor = tensor * limit / maximum(length, limit)
    return result


def global_norm(t_list: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Return the euclidean norm of all tensors together; None entries are skipped.

    >>> global_norm([[3.0], None, [4.0]])
    <rt.Tensor: shape=(), dtype=float32, numpy=5.0>
    """
    tensors = [to_tensor(each) for each in _listed(t_list) if each is not None]
    total: Any = to_tensor(0.0)
    for number, each in enumerate(tensors):
        squares = reduce_sum(each * each)
        total = total + squares if number else squares
    return sqrt(total)


def clip_by_global_norm(
    t_list: Sequence[TensorLike],
    clip_norm: TensorLike,
    use_norm: object = None,
    name: str | None = None,
) -> tuple[list[Any], Tensor]:
    """Return the tensors, scaled together to a norm of at most `clip_norm`, and the original norm.

    Args:
        t_list: tensors; None stays None.
        use_norm: the norm of all tensors, if it is known. If it is infinite, all results are NaN.

    >>> [clipped], length = clip_by_global_norm([[3.0, 4.0]], 2.5)
    >>> print(clipped, length)
    rt.Tensor([1.5 2. ], shape=(2,), dtype=float32) rt.Tensor(5.0, shape=(), dtype=float32)
    """
    length: Any = global_norm(t_list) if use_norm is None else to_tensor(use_norm)
    scale = scale_for(length, clip_norm)
    return [None if each is None else scaled(each, scale) for each in t_list], length


def scale_for(length: Any, clip_norm: Any) -> Any:
    """Return the factor that reduces a norm to at most `clip_norm`.

    >>> print(scale_for(to_tensor(5.0), 2.5))
    rt.Tensor(0.5, shape=(), dtype=float32)
    """
    limit: Any = to_tensor(clip_norm, length.dtype)
    scale: Any = limit * minimum(1.0 / length, 1.0 / limit)
    return where(is_finite(length), scale, zeros_like(length) / zeros_like(length))


def scaled(t: Any, scale: Any) -> Any:
    """Return a tensor times a scale, in the dtype of the tensor."""
    tensor: Any = to_tensor(t)
    return tensor * strong_cast(scale, tensor.dtype)


def _listed(t_list: Any) -> Sequence[Any]:
    if not isinstance(t_list, (list, tuple)):
        raise DTypeError("t_list must be a list of tensors: write [x] for one")
    return t_list
