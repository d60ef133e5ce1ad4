"""Ops that join, split, repeat, reverse and roll tensors."""

from __future__ import annotations

import itertools
from functools import lru_cache
from itertools import accumulate
from typing import Any, SupportsIndex

import numpy as np

from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import AxisLike, Dims
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import (
    check_list,
    dims_argument,
    known_array,
    static_axes,
    static_int,
    static_value,
)
from runtime.ops.arrays.dynamic_split import number_of_sizes, split_at_run_time
from runtime.ops.arrays.shape import reshape
from runtime.ops.containers.dynamic_items import concatenated_items, holds_dynamic_items, stacked
from runtime.ops.containers.list_tensors import NOTHING_TO_JOIN
from runtime.ops.convert import STACK, is_tensor_like, matched, to_tensor
from runtime.ops.grad import manipulation as backward
from runtime.ops.gradient_rules import filled
from runtime.ops.op import apply, define

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")


def _concat_kernel(*arrays: Array, axis: int) -> Array:
    return np.concatenate(arrays, axis)


def _concat_infer(*specs: TensorSpec, axis: int) -> TensorSpec:
    infer.check_same_dtype(*specs)
    shape, total = specs[0].shape, 0
    length: int | None = 0
    for spec in specs:
        if spec.shape.rank == 0:
            raise ShapeError("scalars cannot be concatenated: use rt.stack")
        if spec.shape.rank is not None:
            position = infer.axis_of(axis, spec.shape.rank)
            size = spec.shape[position]
            length = None if length is None or size is None else length + size
            total += 1
        other = infer.replaced(spec.shape, axis, None)
        shape = infer.replaced(shape, axis, None)
        if not shape.is_compatible_with(other):
            shapes = " and ".join(str(spec.shape) for spec in specs)
            raise ShapeError(f"shapes {shapes} differ in more than axis {axis}")
        shape = shape.merge(other)
    known = length if total == len(specs) else None
    return TensorSpec(infer.replaced(shape, axis, known), specs[0].dtype)


def _unstack_kernel(x: Array, *, num: int, axis: int) -> tuple[Array, ...]:
    if x.shape[infer.axis_of(axis, x.ndim)] != num:
        raise ShapeError(f"axis {axis} of shape {x.shape} does not have {num} parts")
    moved = np.moveaxis(x, axis, 0)
    return tuple(moved[i, ...] for i in range(num))


def _unstack_infer(x: TensorSpec, *, num: int, axis: int) -> tuple[TensorSpec, ...]:
    if num < 0:
        raise ShapeError(f"num must not be negative, not {num}")
    if x.shape.dims is None:
        return (TensorSpec(None, x.dtype),) * num
    position = infer.axis_of(axis, len(x.shape))
    if x.shape[position] not in (None, num):
        raise ShapeError(f"axis {axis} of shape {x.shape} does not have {num} parts")
    return (TensorSpec(infer.reduced_shape(x.shape, (axis,), False), x.dtype),) * num


def _split_kernel(x: Array, *, sizes: tuple[int, ...] | int, axis: int) -> tuple[Array, ...]:
    before = infer.axis_of(axis, x.ndim)
    parts = _part_sizes(x.shape[before], sizes)
    around = (slice(None),) * before
    return tuple(
        x[(*around, slice(end - part, end))] for part, end in zip(parts, accumulate(parts))
    )


def _split_infer(
    x: TensorSpec, *, sizes: tuple[int, ...] | int, axis: int
) -> tuple[TensorSpec, ...]:
    count = sizes if isinstance(sizes, int) else len(sizes)
    if x.shape.rank is None:
        return (TensorSpec(None, x.dtype),) * count
    size = x.shape[infer.axis_of(axis, x.shape.rank)]
    parts: tuple[int | None, ...]
    if size is not None:
        parts = _part_sizes(size, sizes)
    elif isinstance(sizes, int):
        parts = (None,) * sizes
    else:
        parts = tuple(None if part == -1 else part for part in sizes)
    return tuple(TensorSpec(infer.replaced(x.shape, axis, part), x.dtype) for part in parts)


def _part_sizes(size: int, sizes: tuple[int, ...] | int) -> tuple[int, ...]:
    if isinstance(sizes, int):
        if sizes < 1 or size % sizes:
            raise ShapeError(f"{size} elements do not split into {sizes} equal parts")
        return (size // sizes,) * sizes
    if not sizes:
        raise ShapeError("num_or_size_splits must have at least one size")
    rest = size - sum(part for part in sizes if part != -1)
    filled = tuple(rest if part == -1 else part for part in sizes)
    if sum(filled) != size or min(filled, default=0) < 0:
        raise ShapeError(f"{size} elements do not split into parts of {list(sizes)}")
    return filled


def _tile_kernel(x: Array, *dims: Array, multiples: Dims) -> Array:
    counts: Any = dims[0].tolist() if dims else multiples
    _tile_infer(TensorSpec.of_array(x), multiples=tuple(counts))
    return np.tile(x, counts)


def _tile_infer(x: TensorSpec, *dims: TensorSpec, multiples: Dims) -> TensorSpec:
    if dims:
        infer.check_integer(dims[0], "multiples")
        infer.vector_length(dims[0])
    if multiples is not None and any(count is not None and count < 0 for count in multiples):
        raise ShapeError(f"multiples must not be negative, as in {list(multiples)}")
    if multiples is None or x.shape.dims is None:
        length = x.shape.rank if multiples is None else len(multiples)
        return TensorSpec(infer.rank_only(length), x.dtype)
    if len(multiples) != len(x.shape):
        raise ShapeError(f"{len(multiples)} multiples do not fit shape {x.shape}")
    pairs = zip(x.shape.dims, multiples, strict=True)
    return TensorSpec(tuple(infer.product(pair) for pair in pairs), x.dtype)


def _repeat_kernel(x: Array, repeats: Array, *, axis: int, count: int | None) -> Array:
    if repeats.size and repeats.min() < 0:
        raise ArgumentValueError(f"repeats must not be negative, as in {repeats.tolist()}")
    return np.repeat(x, repeats, axis)


def _repeat_infer(
    x: TensorSpec, repeats: TensorSpec, *, axis: int, count: int | None
) -> TensorSpec:
    infer.check_integer(repeats, "repeats")
    if repeats.shape.rank is not None and repeats.shape.rank > 1:
        raise ShapeError(f"repeats must be a scalar or a vector, not of shape {repeats.shape}")
    if x.shape.rank is None:
        return TensorSpec(None, x.dtype)
    size = x.shape[infer.axis_of(axis, x.shape.rank)]
    given = repeats.shape[0] if repeats.shape.rank else 1
    if given not in (None, 1) and size not in (None, given):
        raise ShapeError(f"{given} repeats do not fit axis {axis} of shape {x.shape}")
    total = size * count if size is not None and count is not None else None
    return TensorSpec(infer.replaced(x.shape, axis, total), x.dtype)


def _axes_checked(x: TensorSpec, *, axis: tuple[int, ...], **attrs: Any) -> TensorSpec:
    if x.shape.rank is not None:
        infer.distinct_axes(axis, x.shape.rank)
    return x.unnamed()


def _roll_kernel(x: Array, shift: Array, *, axis: tuple[int, ...]) -> Array:
    shifts = shift.ravel().tolist()
    if len(shifts) != len(axis):
        shifts *= len(axis)  # One shift for all axes.
    rolled = np.empty(x.shape, x.dtype)
    for to, of in _rolled_parts(x.shape, tuple(shifts), axis):
        rolled[to] = x[of]
    return rolled


@lru_cache(256)
def _rolled_parts(
    shape: tuple[int, ...], shifts: tuple[int, ...], axis: tuple[int, ...]
) -> list[tuple[Any, Any]]:
    """Return the parts of a rolled array as pairs of target and source slices."""
    together = [0] * len(shape)
    for by, each in zip(shifts, axis):
        together[each] += by
    ways = []
    for size, by in zip(shape, together):
        place = by % size if size else 0
        # The parts before and after the cut are swapped.
        ends = [
            (slice(place), slice(size - place, size)),
            (slice(place, size), slice(size - place)),
        ]
        ways.append(ends if place else [(slice(size), slice(size))])
    return [tuple(zip(*part)) if part else ((), ()) for part in itertools.product(*ways)]


def _roll_infer(x: TensorSpec, shift: TensorSpec, *, axis: tuple[int, ...]) -> TensorSpec:
    infer.check_integer(shift, "shift")
    infer.checked_axes(x, *axis)
    if not shift.shape.broadcasts_to((len(axis),)):
        raise ShapeError(f"shifts of shape {shift.shape} do not fit {len(axis)} axes")
    return x.unnamed()


CONCAT = define(
    "concat",
    _concat_kernel,
    _concat_infer,
    grad=backward.concat,
    tensorflow_name="ConcatV2",
)
UNSTACK = define(
    "unstack",
    _unstack_kernel,
    _unstack_infer,
    n_outputs=None,
    grad=lambda dys, outputs, inputs, num, axis: (stack(filled(dys, outputs), axis),),
    tensorflow_name="Unpack",
)
SPLIT = define(
    "split",
    _split_kernel,
    _split_infer,
    n_outputs=None,
    grad=lambda dys, outputs, inputs, sizes, axis: (concat(filled(dys, outputs), axis),),
    tensorflow_name="SplitV",
)
TILE = define(
    "tile",
    _tile_kernel,
    _tile_infer,
    grad=backward.tile,
    tensorflow_name="Tile",
)
REPEAT = define("repeat", _repeat_kernel, _repeat_infer, grad=backward.repeat)
REVERSE = define(
    "reverse",
    lambda x, *, axis: np.flip(x, axis),
    _axes_checked,
    grad=lambda dys, outputs, inputs, axis: (reverse(dys[0], axis),),
    tensorflow_name="ReverseV2",
)
ROLL = define(
    "roll",
    _roll_kernel,
    _roll_infer,
    tensorflow_name="Roll",
    grad=lambda dys, outputs, inputs, axis: (roll(dys[0], -inputs[1], axis), None),
)


def concat(values: TensorLike, axis: SupportsIndex, name: str | None = None) -> Tensor:
    """Return tensors concatenated along an existing axis; a tensor that is in no list is returned.

    Raises:
        ShapeError: they differ in another axis.

    >>> print(concat([[1, 2], [3]], 0))
    rt.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    _check_values("concat", values, axis)
    if holds_dynamic_items(values):
        return concatenated_items(values, to_tensor, static_int(axis, "axis"))
    parts = values if isinstance(values, (list, tuple)) else [values]
    inputs, _ = matched(_some(parts), "concat")
    result: Tensor = apply(CONCAT, inputs, axis=static_int(axis, "axis"))
    return result


def stack(values: TensorLike, axis: SupportsIndex = 0, name: str | None = None) -> Tensor:
    """Return tensors of one shape stacked along a new axis; a tensor counts as its slices.

    >>> print(stack([[1, 2], [3, 4]], axis=1))
    rt.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    _check_values("stack", values, axis)
    if holds_dynamic_items(values):
        return stacked(values, to_tensor, static_int(axis, "axis"))
    along = static_int(axis, "axis")
    if not isinstance(values, (list, tuple)):
        if along == 0:
            return to_tensor(values)
        values = unstack(values)
    inputs, _ = matched(_some(values), "stack")
    result: Tensor = apply(STACK, inputs, axis=along)
    return result


def _check_values(function: str, values: Any, axis: Any) -> None:
    if isinstance(values, (list, tuple)):
        return
    if isinstance(axis, (list, tuple)) or (is_tensor_like(axis) and to_tensor(axis).shape.rank):
        names = f"{name_of(values) or 'a'}, {name_of(axis) or 'b'}"
        raise DTypeError(
            f"{function} takes a list of tensors, then the axis: "
            f"write rt.{function}([{names}], axis)"
        )


def unstack(
    value: TensorLike, num: int | None = None, axis: SupportsIndex = 0, name: str | None = None
) -> list[Tensor]:
    """Return the slices along an axis as a list of tensors; its size must be known or given.

    >>> [int(x) for x in unstack([4, 5])]
    [4, 5]
    """
    tensor, along = to_tensor(value), static_int(axis, "axis")
    if num is None:
        infer.check_rank_at_least(tensor.spec, 1)
        rank = tensor.shape.rank
        num = None if rank is None else tensor.shape[infer.axis_of(along, rank)]
    if num is None:
        raise ArgumentValueError(f"the number of parts of {tensor} is not known: give num=")
    num = static_int(num, "num")
    return list(apply(UNSTACK, (tensor,), num=num, axis=along))


def split(
    value: TensorLike,
    num_or_size_splits: TensorLike,
    axis: SupportsIndex = 0,
    num: int | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """Return equal parts along an axis, or parts of the listed sizes (one may be -1).

    Raises:
        ShapeError: the sizes do not add up to that of the axis.
        ArgumentValueError: the number of sizes is only known at run time, and `num` is not given.
        DTypeError: the sizes are not integers.

    >>> [x.numpy().tolist() for x in split([1, 2, 3], [1, -1])]
    [[1], [2, 3]]
    """
    sizes: int | tuple[int, ...]
    if isinstance(num_or_size_splits, int):
        sizes = num_or_size_splits
    else:
        count = number_of_sizes(num_or_size_splits, num)
        if count is not None:
            return split_at_run_time(
                to_tensor(value), num_or_size_splits, count, static_int(axis, "axis")
            )
        array = known_array(num_or_size_splits, "num_or_size_splits")
        if array.ndim > 1 or (array.size and array.dtype.kind not in "iu"):
            raise DTypeError(
                f"sizes must be a list of ints, not {array.dtype.name} of shape {array.shape}"
            )
        sizes = int(array) if array.ndim == 0 else tuple(array.tolist())
    return list(apply(SPLIT, (to_tensor(value),), sizes=sizes, axis=static_int(axis, "axis")))


def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """Return the tensor repeated as a whole, `multiples[i]` times along axis i.

    >>> print(tile([1, 2], [2]))
    rt.Tensor([1 2 1 2], shape=(4,), dtype=int32)
    """
    check_list("tile", input, multiples, name)
    counts, dims = dims_argument(multiples)
    result: Tensor = apply(TILE, (to_tensor(input), *dims), multiples=counts)
    return result


def repeat(
    input: TensorLike,
    repeats: TensorLike,
    axis: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """Return every element repeated in place; without `axis` the tensor is flattened first.

    Args:
        repeats: a count, or one for each element along the axis.

    >>> print(repeat([1, 2], [2, 3]))
    rt.Tensor([1 1 2 2 2], shape=(5,), dtype=int32)
    """
    tensor, counts = to_tensor(input), to_tensor(repeats)
    if axis is None:
        tensor, axis = _flat(tensor), 0
    known = static_value(counts)
    infer.check_integer(counts.spec, "repeats")
    single = int(known.item()) if known is not None and known.size == 1 else None
    result: Tensor = apply(REPEAT, (tensor, counts), axis=static_int(axis, "axis"), count=single)
    return result


def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Return the tensor with the order along each of the axes reversed.

    >>> print(reverse([1, 2, 3], [0]))
    rt.Tensor([3 2 1], shape=(3,), dtype=int32)
    """
    result: Tensor = apply(REVERSE, (to_tensor(tensor),), axis=static_axes(axis) or ())
    return result


def roll(input: TensorLike, shift: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Return the tensor shifted along axes; elements that leave at the end come back at the start.

    >>> print(roll([1, 2, 3], 1, 0))
    rt.Tensor([3 1 2], shape=(3,), dtype=int32)
    """
    inputs = (to_tensor(input), to_tensor(shift))
    result: Tensor = apply(ROLL, inputs, axis=static_axes(axis) or ())
    return result


def _some(values: Any) -> list[Any]:
    items = list(values)
    if not items:
        raise ArgumentValueError(NOTHING_TO_JOIN)
    return items


def _flat(tensor: Tensor) -> Tensor:
    return tensor if tensor.shape.rank == 1 else reshape(tensor, (-1,))
