"""`bitcast` and `saturate_cast`."""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import DType, DTypeLike, as_dtype
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value
from runtime.ops.elementwise.comparison import greater, less
from runtime.ops.elementwise.complex_numbers import real
from runtime.ops.elementwise.selection import where
from runtime.ops.op import apply, define


def _bitcast_kernel(x: Array, *, type: DType) -> Array:
    _bitcast_infer(TensorSpec.of_array(x), type=type)
    parts = x.dtype.itemsize // type.size
    # NumPy requires the last axis to be contiguous.
    whole = np.array(x[..., None] if parts else x, order="C")
    cast = whole.view(type.np_dtype)
    return cast if parts > 1 else cast[..., 0]


def _bitcast_infer(x: TensorSpec, *, type: DType) -> TensorSpec:
    for dtype in (x.dtype, type):
        if not dtype.is_numeric:
            raise DTypeError(
                f"{dtype.name} values cannot be reinterpreted as others: rt.cast converts values"
            )
    if x.shape.rank is None:
        return TensorSpec(None, type)
    if x.dtype.size == type.size:
        return TensorSpec(x.shape, type)
    if x.dtype.size > type.size:
        return TensorSpec(x.shape + (x.dtype.size // type.size,), type)
    width = type.size // x.dtype.size
    if x.shape.rank == 0 or x.shape[-1] not in (None, width):
        raise ShapeError(
            f"{x.dtype.name} of shape {x.shape} to {type.name}: the last axis must have "
            f"{width} elements"
        )
    return TensorSpec(x.shape[:-1], type)


BITCAST = define("bitcast", _bitcast_kernel, _bitcast_infer, tensorflow_name="Bitcast")


def bitcast(input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:
    """Return the same bits as numbers of another dtype.

    Args:
        type: a dtype of numbers. A narrower one makes a new last axis of the parts of each element,
            a wider one joins the elements along the last axis.

    Raises:
        DTypeError: a dtype is bool, string or variant.
        ShapeError: the last axis is not as long as the wider dtype needs.

    >>> print(bitcast(1.0, "uint32"), bitcast([1, 0], "int64"))
    rt.Tensor(1065353216, shape=(), dtype=uint32) rt.Tensor(1, shape=(), dtype=int64)
    """
    result: Tensor = apply(BITCAST, (to_tensor(input),), type=as_dtype(type))
    return result


# -- `saturate_cast`: casts that clamp to the limits of the target dtype ---------------------------


def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert every element, clipped to the limits of the target dtype.

    Complex numbers are reduced to their real parts; casts to a complex dtype clip nothing.

    >>> print(saturate_cast([300.0, -5.0], "uint8"))
    rt.Tensor([255   0], shape=(2,), dtype=uint8)
    """
    target, tensor = as_dtype(dtype), to_tensor(value)
    if tensor.dtype.is_complex and not target.is_complex:
        tensor = real(tensor)
    if target.is_complex:
        return strong_cast(tensor, target)
    low, high = (
        np.array(pick(getattr(tensor.dtype, end), getattr(target, end)), tensor.dtype.np_dtype)
        for end, pick in (("min", max), ("max", min))
    )
    if not (tensor.dtype.is_floating and target.is_integer):
        return strong_cast(clip_by_value(tensor, low, high), target)
    low, high = (np.nextafter(x, x.dtype.type(0)) if _beyond(x, target) else x for x in (low, high))
    result = strong_cast(clip_by_value(tensor, low, high), target)
    for outside, reached, limit in ((less, low, target.min), (greater, high, target.max)):
        if int(reached) != limit:
            result = where(outside(tensor, reached), np.array(limit, target.np_dtype), result)
    return result


def _beyond(limit: Array, target: DType) -> bool:
    """Return whether a limit, rounded to a float dtype, exceeds the limit of the target."""
    return not target.min <= int(limit) <= target.max
