"""`meshgrid` and `sequence_mask`."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import choice
from runtime.core.dtypes import DTypeLike, as_dtype, bool_
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arrays.creation import range as counted
from runtime.ops.arrays.reduction import reduce_max
from runtime.ops.arrays.shape import broadcast_to, expand_dims, reshape, size
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import maximum


def meshgrid(*args: TensorLike, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """Return the coordinates of all points of a grid, one tensor for each vector.

    Args:
        args: vectors; their dtypes may differ.
        indexing: "xy", where the first vector runs along the second axis, or "ij".

    >>> x, y = meshgrid([1, 2, 3], [4, 5])
    >>> x.shape, y.numpy().tolist()
    (TensorShape([2, 3]), [[4, 4, 4], [5, 5, 5]])
    """
    if choice(indexing, "indexing", ("xy", "ij")) not in ("xy", "ij"):
        raise ArgumentValueError(f"indexing must be 'xy' or 'ij', not {indexing!r}")
    vectors = [reshape(each, [-1]) for each in args]
    order = [*range(len(vectors))]
    if indexing == "xy" and len(order) > 1:
        order[:2] = 1, 0
    lengths = [vectors[at].shape[0] for at in order]
    sizes = [size(vectors[at]) if n is None else n for at, n in zip(order, lengths)]
    return [_along(vector, order.index(at), sizes) for at, vector in enumerate(vectors)]


def _along(vector: Tensor, axis: int, sizes: list[Any]) -> Tensor:
    upright = reshape(vector, [1] * axis + [-1] + [1] * (len(sizes) - axis - 1))
    return broadcast_to(upright, sizes)


def sequence_mask(
    lengths: TensorLike,
    maxlen: TensorLike | None = None,
    dtype: DTypeLike = bool_,
    name: str | None = None,
) -> Tensor:
    """Return rows that start with the given numbers of True elements.

    Args:
        lengths: integers of any shape; the result has an additional last axis.
        maxlen: the length of the rows, a scalar integer; by default the largest length.

    >>> print(sequence_mask([1, 3], dtype="int32"))
    rt.Tensor(
    [[1 0 0]
     [1 1 1]], shape=(2, 3), dtype=int32)
    """
    tensor = to_tensor(lengths)
    if not tensor.dtype.is_integer:
        raise DTypeError(f"lengths must be integers, not {tensor.dtype.name}")
    if maxlen is None:
        zero = to_tensor(0, tensor.dtype)
        width = maximum(reduce_max(tensor), zero)
    else:
        width = to_tensor(maxlen)
        if width.shape.rank not in (None, 0):
            raise ShapeError(f"maxlen must be a scalar, not of shape {width.shape}")
        width = strong_cast(width, tensor.dtype)
    places: Any = strong_cast(counted(width), tensor.dtype)
    return strong_cast(places < expand_dims(tensor, -1), as_dtype(dtype))
