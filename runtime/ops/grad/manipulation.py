"""Gradients of concatenation, tiling, padding and repetition."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops.arrays.scatter_kernels import add_rows
from runtime.ops.convert import constant_tensor
from runtime.ops.gradient_rules import call, sum_to_like
from runtime.ops.infer import axis_of
from runtime.ops.op import apply, define

Widths: TypeAlias = tuple[tuple[int, int], ...] | None
Mode: TypeAlias = Literal["constant", "reflect", "symmetric"]


def _like_second(dy: TensorSpec, like: TensorSpec, *inputs: TensorSpec, **attrs: Any) -> TensorSpec:
    return TensorSpec(like.shape, dy.dtype)


# -- concat ----------------------------------------------------------------------------------------


def _joined_part_kernel(dy: Array, *parts: Array, axis: int, position: int) -> Array:
    axis = axis_of(axis, dy.ndim)
    sizes = [part.shape[axis] for part in parts]
    begin = sum(sizes[:position])
    return dy[(*(slice(None),) * axis, slice(begin, begin + sizes[position]))]


def _joined_part_infer(dy: TensorSpec, *parts: TensorSpec, axis: int, position: int) -> TensorSpec:
    return TensorSpec(parts[position].shape, dy.dtype)


def _joined_part_grad(
    dys: Any, outputs: Any, inputs: Any, *, axis: int, position: int
) -> tuple[Any, ...]:
    parts = [call("zeros_like", part, dtype=dys[0].dtype) for part in inputs[1:]]
    parts[position] = dys[0]
    return call("concat", *parts, axis=axis), *(None for _ in parts)


JOINED_PART = define(
    "joined_part", _joined_part_kernel, _joined_part_infer, kinds="iufc", grad=_joined_part_grad
)


def concat(dys: Any, outputs: Any, inputs: Any, *, axis: int) -> tuple[Any, ...]:
    """Split the gradient into the parts of the concatenated tensors."""
    sizes = tuple(part.shape[axis] if part.shape.rank else None for part in inputs)
    if None not in sizes:
        return tuple(call("split", dys[0], sizes=sizes, axis=axis))
    attrs = [{"axis": axis, "position": position} for position in range(len(inputs))]
    return tuple(apply(JOINED_PART, (dys[0], *inputs), **each) for each in attrs)


# -- tile ------------------------------------------------------------------------------------------


def _tiles_summed_kernel(dy: Array, like: Array, *dims: Array, multiples: Dims) -> Array:
    counts: Any = dims[0].tolist() if dims else multiples
    split = [size for pair in zip(counts, like.shape, strict=True) for size in pair]
    return np.sum(dy.reshape(split), tuple(range(0, len(split), 2)), dtype=dy.dtype)


TILES_SUMMED = define(
    "tiles_summed",
    _tiles_summed_kernel,
    _like_second,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, multiples: (
        call("tile", dys[0], *inputs[2:], multiples=multiples),
        *(None for _ in inputs[1:]),
    ),
)


def tile(dys: Any, outputs: Any, inputs: Any, *, multiples: Dims) -> tuple[Any, ...]:
    """Add up the gradients of all copies."""
    x, *dims = inputs
    if x.shape.is_fully_defined() and multiples is not None and not dims:
        split = tuple(size for pair in zip(multiples, x.shape.dims, strict=True) for size in pair)
        parts = call("reshape", dys[0], shape=split)
        axes = tuple(range(0, len(split), 2))
        return (call("reduce_sum", parts, axis=axes, keepdims=False),)
    summed = apply(TILES_SUMMED, (dys[0], x, *dims), multiples=multiples)
    return summed, *(None for _ in dims)


# -- pad -------------------------------------------------------------------------------------------


def _unpadded_kernel(dy: Array, like: Array, *inputs: Array, paddings: Widths, mode: Mode) -> Array:
    widths: Any = inputs[0].tolist() if inputs else paddings
    result = dy
    for axis, (before, after) in enumerate(widths):
        result = _folded(result, axis, like.shape[axis], before, after, mode)
    return result


def _folded(dy: Array, axis: int, size: int, before: int, after: int, mode: str) -> Array:
    """Remove the padding along an axis, and add it to the elements it mirrored."""
    rows = np.moveaxis(dy, axis, 0)
    result = rows[before : before + size]
    if mode != "constant":
        result = result.copy()
        edge = 1 if mode == "reflect" else 0
        result[edge : edge + before] += rows[:before][::-1]
        result[size - edge - after : size - edge] += rows[before + size :][::-1]
    return np.moveaxis(result, 0, axis)


def _padded(x: Any, widths: Any, attrs: Any) -> Any:
    zero = constant_tensor(np.zeros((), x.dtype.np_dtype))
    return call("pad", x, zero, *widths, **attrs)


UNPADDED = define(
    "unpadded",
    _unpadded_kernel,
    _like_second,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, **attrs: (
        _padded(dys[0], inputs[2:], attrs),
        *(None for _ in inputs[1:]),
    ),
)


def pad(dys: Any, outputs: Any, inputs: Any, *, paddings: Any, mode: str) -> tuple[Any, ...]:
    """Remove the padding from the gradient; it goes to the value, or to the mirrored elements."""
    (x, value, *widths), dy = inputs, dys[0]
    attrs = {"paddings": paddings, "mode": mode}
    dx = apply(UNPADDED, (dy, x, *widths), **attrs)
    if mode != "constant":
        return dx, None, *(None for _ in widths)
    edges = call("reduce_sum", dy - _padded(dx, widths, attrs), axis=None, keepdims=False)
    return dx, sum_to_like(edges, value), *(None for _ in widths)


# -- repeat ----------------------------------------------------------------------------------------


def _repeats_summed_kernel(
    dy: Array, like: Array, repeats: Array, *, axis: int, count: int | None
) -> Array:
    axis = axis_of(axis, like.ndim)
    rows = np.moveaxis(dy, axis, 0)
    size = like.shape[axis]
    total = np.zeros((size, *rows.shape[1:]), dy.dtype)
    counts = np.broadcast_to(repeats.ravel(), (size,))
    add_rows(total, np.repeat(np.arange(size), counts), rows)
    return np.moveaxis(total, 0, axis)


REPEATS_SUMMED = define(
    "repeats_summed",
    _repeats_summed_kernel,
    _like_second,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, **attrs: (
        call("repeat", dys[0], inputs[2], **attrs),
        None,
        None,
    ),
)


def repeat(
    dys: Any, outputs: Any, inputs: Any, *, axis: int, count: int | None
) -> tuple[Any, None]:
    """Add up the gradients of all copies of an element."""
    x, repeats = inputs
    if count is None or not x.shape.is_fully_defined():
        summed = apply(REPEATS_SUMMED, (dys[0], x, repeats), axis=axis, count=count)
        return summed, None
    behind = axis_of(axis, x.shape.rank) + 1
    split = (*x.shape.dims[:behind], count, *x.shape.dims[behind:])
    parts = call("reshape", dys[0], shape=split)
    return call("reduce_sum", parts, axis=(behind,), keepdims=False), None
