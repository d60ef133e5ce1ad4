"""Norms of vectors and matrices, normalization by them, and `l2_loss`."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.dtypes import float64
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_axes
from runtime.ops.arrays.reduction import reduce_max, reduce_min, reduce_sum
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.constant import cast
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.unary import abs, rsqrt, sqrt, square
from runtime.ops.gradient_rules import conjugate
from runtime.ops.linalg.factorizations import svd
from runtime.ops.linalg.matrices import transpose

_SQUARES = ("euclidean", "fro")


def norm(
    tensor: TensorLike,
    ord: TensorLike = "euclidean",
    axis: AxisLike | None = None,
    keepdims: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the norm of vectors (of all elements, without `axis`) or of matrices.

    Args:
        ord: of vectors "euclidean", which is 2, another positive number, infinity
            (the largest magnitude) or minus infinity (the smallest). Of matrices "euclidean" or
            "fro", which is the root of the sum of squares, 1 or infinity, the largest sum of a
            column or a row, or 2, the largest singular value.
        axis: one axis, or the two of matrices.

    Returns:
        A tensor without these axes. Roots of sums of squares of complex numbers are complex.

    Raises:
        ArgumentValueError: there is no such norm, or `axis` is not one or two axes.

    >>> norm([3.0, 4.0])
    <rt.Tensor: shape=(), dtype=float32, numpy=5.0>
    """
    x, axes, kept = to_tensor(tensor), static_axes(axis), flag(keepdims, "keepdims")
    if axes is not None and len(axes) == 2 and axes[0] != axes[1]:
        return _matrix_norm(x, ord, axes, kept)
    if axes is not None and len(axes) != 1:
        raise ArgumentValueError(f"axis must be None, one axis or two distinct axes, not {axis!r}")
    return _vector_norm(x, ord, axes, kept)


def normalize(
    tensor: TensorLike,
    ord: TensorLike = "euclidean",
    axis: AxisLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return a tensor divided by its norm, and the norm; see `norm`.

    >>> whole, length = normalize([3.0, 4.0])
    >>> print(whole, length)
    rt.Tensor([0.6 0.8], shape=(2,), dtype=float32) rt.Tensor([5.], shape=(1,), dtype=float32)
    """
    x: Any = to_tensor(tensor)
    length = norm(x, ord, axis, keepdims=True)
    return x / strong_cast(length, x.dtype), length


def reduce_euclidean_norm(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the root of the sum of squares over some axes, all by default.

    For integers the result is truncated to an integer.

    >>> print(reduce_euclidean_norm([[3.0, 4.0], [5.0, 12.0]], 1))
    rt.Tensor([ 5. 13.], shape=(2,), dtype=float32)
    """
    x = to_tensor(input_tensor)
    if not x.dtype.is_numeric:
        raise DTypeError(f"reduce_euclidean_norm takes numbers, not {x.dtype.name}")
    wide = cast(x, float64) if x.dtype.is_integer else x
    found = _root_of_squares(wide, static_axes(axis), flag(keepdims, "keepdims"))
    return strong_cast(found, x.dtype)


def _vector_norm(x: Tensor, ord: Any, axes: tuple[int, ...] | None, kept: bool) -> Tensor:
    if _is(ord, "euclidean") or _is(ord, 2):
        return _root_of_squares(x, axes, kept)
    if _is(ord, math.inf):
        return reduce_max(abs(x), axes, kept)
    if _is(ord, -math.inf):
        return reduce_min(abs(x), axes, kept)
    if _is(ord, 1):
        return reduce_sum(abs(x), axes, kept)
    if isinstance(ord, bool) or not isinstance(ord, (int, float)) or not ord > 0:
        raise ArgumentValueError(
            f"there is no norm {ord!r} of vectors: use 'euclidean', a positive number or infinity"
        )
    size: Any = abs(x)
    power: Tensor = reduce_sum(size**ord, axes, kept) ** (1.0 / ord)
    return power


def _matrix_norm(x: Tensor, ord: Any, axes: tuple[int, ...], kept: bool) -> Tensor:
    if any(_is(ord, each) for each in _SQUARES):
        return _root_of_squares(x, axes, kept)
    if _is(ord, 2):
        return _largest_singular_value(x, axes, kept)
    if not _is(ord, 1) and not _is(ord, math.inf):
        raise ArgumentValueError(
            f"there is no norm {ord!r} of matrices: use 'euclidean', 'fro', 1, 2 or infinity"
        )
    rows, columns = _positions(x, axes)
    summed, other = (rows, columns) if ord == 1 else (columns, rows)
    sums = reduce_sum(abs(x), summed, True)
    largest = reduce_max(sums, other, True)
    return largest if kept else reduce_sum(largest, (rows, columns))


def _root_of_squares(x: Any, axes: tuple[int, ...] | None, kept: bool) -> Tensor:
    return sqrt(reduce_sum(x * conjugate(x), axes, kept))


def _largest_singular_value(x: Tensor, axes: tuple[int, ...], kept: bool) -> Tensor:
    first, second = _positions(x, axes)
    rank = x.shape.rank
    matrices = x
    if rank is not None and (first, second) != (rank - 2, rank - 1):
        others = [axis for axis in range(rank) if axis not in (first, second)]
        matrices = transpose(x, [*others, first, second])
    largest = reduce_max(svd(matrices, compute_uv=False), -1)
    for axis in sorted((first, second)) if kept else ():
        largest = expand_dims(largest, max(axis, -1))
    return largest


def _positions(x: Tensor, axes: tuple[int, ...]) -> tuple[int, int]:
    rank = x.shape.rank
    if rank is None and axes == (-2, -1):
        return -2, -1
    if rank is None:
        raise ShapeError("the norm of matrices needs a known rank: give axis=(-2, -1)")
    first, second = (axis + rank if axis < 0 else axis for axis in axes)
    if not (0 <= first < rank and 0 <= second < rank) or first == second:
        raise ShapeError(f"axes {list(axes)} are not two distinct axes of rank {rank}")
    return first, second


def _is(ord: Any, wanted: float | str) -> bool:
    return isinstance(ord, (int, float, str)) and not isinstance(ord, bool) and ord == wanted


def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Return half the sum of squares.

    >>> l2_loss([3.0, 4.0])
    <rt.Tensor: shape=(), dtype=float32, numpy=12.5>
    """
    return reduce_sum(square(t)) / 2


def l2_normalize(
    x: TensorLike,
    axis: AxisLike | None = None,
    epsilon: float = 1e-12,
    name: str | None = None,
    dim: AxisLike | None = None,
) -> Tensor:
    """Return x divided by its Euclidean norm along `axis`; `dim` is an older name of `axis`.

    A sum of squares below `epsilon` counts as `epsilon`.

    >>> print(l2_normalize([3.0, 4.0]))
    rt.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    if axis is not None and dim is not None:
        raise ArgumentValueError("l2_normalize: give axis or dim, not both")
    total = reduce_sum(square(tensor), dim if axis is None else axis, keepdims=True)
    result: Tensor = tensor * rsqrt(maximum(total, epsilon))
    return result
