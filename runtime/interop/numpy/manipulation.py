"""NumPy's array manipulation functions: shapes, joins, repetition, sorting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.dtypes import int32, int64
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError, SymbolicTensorError, of_tracing
from runtime.interop.numpy.conversion import (
    RESULT_CONTAINER,
    adapted,
    as_array,
    promoted,
    tensor_of,
)
from runtime.interop.numpy.functions import FUNCTIONS, flat, implements
from runtime.ops.arguments import known_array
from runtime.ops.arrays import concatenation, gather, padding, shape, sorting
from runtime.ops.arrays.creation import range as range_
from runtime.ops.arrays.shape import broadcast_to, reshape
from runtime.ops.containers.dynamic_items import holds_dynamic_items
from runtime.ops.convert import strong_cast
from runtime.ops.effects.assertions import assert_less
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.comparison import equal, less
from runtime.ops.elementwise.selection import where
from runtime.ops.linalg import diagonals
from runtime.ops.linalg import matrices as linalg

# -- shapes --------------------------------------------------------------------------------------


@implements(np.reshape)
def _reshape(a: Any, newshape: Any = None, *, shape: Any = None) -> Tensor:
    return reshape(tensor_of(a), shape if newshape is None else newshape)


@implements(np.ravel)
def _ravel(a: Any) -> Tensor:
    return reshape(tensor_of(a), [-1])


@implements(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Tensor:
    return linalg.transpose(tensor_of(a), axes)


@implements(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    order = list(range(len(tensor_of(a).shape)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return linalg.transpose(tensor_of(a), order)


@implements(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Tensor:
    return shape.expand_dims(tensor_of(a), axis)


@implements(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Tensor:
    return shape.squeeze(tensor_of(a), axis)


FUNCTIONS[np.broadcast_to] = broadcast_to


@implements(np.shape)
def _shape(a: Any) -> tuple[int, ...]:
    known = tensor_of(a).shape
    dims = tuple(dim for dim in known.dims or () if dim is not None)
    if not known.is_fully_defined():
        raise of_tracing(
            ShapeError(f"the shape {known} is not fully known while tracing: use rt.shape(x)")
        )
    return dims


@implements(np.ndim)
def _ndim(a: Any) -> int:
    return len(tensor_of(a).shape)


@implements(np.size)
def _size(a: Any) -> Any:
    known = tensor_of(a).shape.is_fully_defined()
    return math.prod(_shape(a)) if known else shape.size(a)


# -- joins and splits -------------------------------------------------------------


def _tensors_to_join(arrays: Any) -> list[Tensor] | Tensor:
    """Return the tensors to join, in a common dtype.

    If their number is not known while tracing, the result is one tensor that holds them all.
    """
    whole = tensor_of(arrays) if isinstance(arrays, Tensor) or holds_dynamic_items(arrays) else None
    if whole is None:
        return promoted(*map(as_array, arrays))
    return whole if whole.shape[0] is None else list(concatenation.unstack(whole))


@implements(np.concatenate)
def _concatenate(arrays: Any, axis: Any = 0) -> Tensor:
    if holds_dynamic_items(arrays) and axis == 0:
        return concatenation.concat(arrays, 0)
    tensors = _tensors_to_join(arrays)
    if axis is None and isinstance(tensors, Tensor):
        return reshape(tensors, [-1])
    if axis is None:
        tensors, axis = [reshape(tensor, [-1]) for tensor in tensors], 0
    if isinstance(tensors, list):
        return concatenation.concat(tensors, axis)
    if axis != 0 or len(tensors.shape) < 2:
        raise _first_axis_only("np.concatenate")
    return _merge_first_axes(tensors)


def _merge_first_axes(rows: Tensor) -> Tensor:
    """Return a tensor whose first two axes are merged."""
    known = [shape.shape(rows)[k] if n is None else n for k, n in enumerate(rows.shape[2:], 2)]
    return reshape(rows, [-1, *known])


def _first_axis_only(name: str) -> SymbolicTensorError:
    return SymbolicTensorError(
        f"axis of {name} must be 0 for a list whose length is known only when the graph runs: "
        "collect the arrays in a tensor with rt.concat in the loop",
        caller_origin(),
    )


@implements(np.stack)
def _stack(arrays: Any, axis: int = 0) -> Tensor:
    tensors = _tensors_to_join(arrays)
    if isinstance(tensors, list):
        return concatenation.stack(tensors, axis)
    order = list(range(1, len(tensors.shape)))
    order.insert(axis if axis >= 0 else axis + len(tensors.shape), 0)
    return linalg.transpose(tensors, order) if axis else tensors


@implements(np.vstack)
def _vstack(tup: Any) -> Tensor:
    tensors = _tensors_to_join(tup)
    if not isinstance(tensors, list):
        return _merge_first_axes(tensors) if len(tensors.shape) > 2 else _as_rows(tensors)
    return concatenation.concat(
        [t if len(t.shape) > 1 else reshape(t, [1, -1]) for t in tensors], 0
    )


def _as_rows(tensor: Tensor) -> Tensor:
    return tensor if len(tensor.shape) == 2 else reshape(tensor, [-1, 1])


@implements(np.hstack)
def _hstack(tup: Any) -> Tensor:
    tensors = _tensors_to_join(tup)
    if not isinstance(tensors, list):
        if len(tensors.shape) > 2:
            raise _first_axis_only("np.hstack")
        return reshape(tensors, [-1])
    parts = [t if len(t.shape) else reshape(t, [1]) for t in tensors]
    return concatenation.concat(parts, 0 if len(parts[0].shape) == 1 else 1)


@implements(np.column_stack)
def _column_stack(tup: Any) -> Tensor:
    tensors = _tensors_to_join(tup)
    if not isinstance(tensors, list):
        raise _first_axis_only("np.column_stack")
    return concatenation.concat(
        [t if len(t.shape) > 1 else reshape(t, [-1, 1]) for t in tensors], 1
    )


@implements(np.append)
def _append(arr: Any, values: Any, axis: Any = None) -> Tensor:
    return _concatenate([as_array(arr), as_array(values)], axis)


@implements(np.insert)
def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(arr, axis)
    axes_after, position, size = _position_along(tensor, obj, axis, "np.insert", 1)
    item = strong_cast(tensor_of(values), tensor.dtype)
    if axis and item.shape.rank:
        raise SymbolicTensorError(
            "np.insert of an array along an axis that is not the first one: write np.concatenate",
            caller_origin(),
        )
    numbers: Any = range_(size + 1)
    kept = gather.gather(
        tensor, where(less(numbers, position), numbers, maximum(numbers - 1, 0)), axis=axis
    )
    is_new = reshape(equal(numbers, position), [-1, *[1] * axes_after])
    return where(is_new, item, kept)


@implements(np.delete)
def _delete(arr: Any, obj: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(arr, axis)
    _, position, size = _position_along(tensor, obj, axis, "np.delete", 0)
    numbers: Any = range_(size - 1)
    return gather.gather(tensor, where(less(numbers, position), numbers, numbers + 1), axis=axis)


def _position_along(tensor: Any, obj: Any, axis: int, name: str, more: int) -> tuple[int, Any, int]:
    """Return the number of axes after `axis`, the position `obj` as an index >= 0, and the length.

    Args:
        more: the number of valid positions past the end.

    Raises:
        SymbolicTensorError: `obj` is not one position, or the length is not known.
    """
    size, position = tensor.shape[axis], obj if isinstance(obj, slice) else tensor_of(obj)
    if size is None or isinstance(position, slice) or position.shape.rank != 0:
        raise SymbolicTensorError(
            f"{name} at other than one place, or where a length is not known: write np.concatenate "
            "of the parts, as in np.concatenate([a[:i], [x], a[i:]])",
            caller_origin(),
        )
    position = strong_cast(position, int64)
    from_start: Any = where(less(position, 0), position + size, position)
    bounds = f"index is out of bounds for axis {axis} with size {size}"
    assert_less(from_start, size + more, message=bounds)
    after = len(tensor.shape) - 1 - axis % len(tensor.shape)
    return after, strong_cast(from_start, int32), size


@implements(np.split)
def _split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    tensor = tensor_of(ary)
    if isinstance(indices_or_sections, (int, np.integer)):
        return list(concatenation.split(tensor, int(indices_or_sections), axis))
    size = tensor.shape[axis]
    if size is None:
        raise ShapeError(f"np.split at indices takes a known number of items, not {tensor.shape}")
    ends = [slice(None, int(each)).indices(size)[1] for each in indices_or_sections]
    starts = [0, *ends]
    sizes = [max(end - start, 0) for start, end in zip(starts, [*ends, size])]
    if sum(sizes) != size:
        raise ArgumentValueError(f"np.split takes indices in order, not {indices_or_sections}")
    return list(concatenation.split(tensor, sizes, axis))


@implements(np.array_split)
def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    tensor = tensor_of(ary)
    size = tensor.shape[axis]
    if not isinstance(indices_or_sections, (int, np.integer)) or size is None:
        return _split(tensor, indices_or_sections, axis)
    each, more = divmod(size, int(indices_or_sections))
    sizes = [each + (k < more) for k in range(int(indices_or_sections))]
    return list(concatenation.split(tensor, sizes, axis))


@implements(np.pad)
def _pad(array: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Tensor:
    if mode not in ("constant", "reflect", "symmetric"):
        raise ArgumentValueError(
            f"np.pad in a graph takes mode 'constant', 'reflect' or 'symmetric', not {mode!r}"
        )
    tensor = tensor_of(array)
    widths = np.broadcast_to(known_array(pad_width, "pad_width"), (len(tensor.shape), 2))
    filler = adapted(constant_values, tensor.dtype)
    if len(filler.shape):
        raise ArgumentValueError("np.pad in a graph takes one constant value")
    return padding.pad(tensor, widths, mode, filler)


@implements(np.atleast_1d)
def _atleast_1d(*arys: Any) -> Any:
    found = [reshape(t, [1]) if len(t.shape) == 0 else t for t in map(tensor_of, arys)]
    return found[0] if len(found) == 1 else RESULT_CONTAINER(found)


@implements(np.atleast_2d)
def _atleast_2d(*arys: Any) -> Any:
    found = [reshape(t, [1, -1]) if len(t.shape) < 2 else t for t in map(tensor_of, arys)]
    return found[0] if len(found) == 1 else RESULT_CONTAINER(found)


@implements(np.tile)
def _tile(A: Any, reps: Any) -> Tensor:
    tensor = tensor_of(A)
    is_one = not isinstance(reps, (list, tuple)) and len(tensor_of(reps).shape) == 0
    counts = [reps] if is_one else list(reps)
    missing = len(tensor.shape) - len(counts)
    for _ in range(-missing):
        tensor = shape.expand_dims(tensor, 0)
    return concatenation.tile(tensor, [1] * missing + counts)


@implements(np.repeat)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return concatenation.repeat(tensor, repeats, axis)


@implements(np.flip)
def _flip(m: Any, axis: Any = None) -> Tensor:
    axes = list(range(len(tensor_of(m).shape))) if axis is None else axis
    return concatenation.reverse(tensor_of(m), axes if isinstance(axes, (list, tuple)) else [axes])


@implements(np.roll)
def _roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    tensor, place = flat(a, axis)
    rolled = concatenation.roll(tensor, shift, place)
    return rolled if axis is not None else reshape(rolled, shape.shape(a))


@implements(np.fliplr)
def _fliplr(m: Any) -> Tensor:
    return concatenation.reverse(tensor_of(m), [1])


@implements(np.flipud)
def _flipud(m: Any) -> Tensor:
    return concatenation.reverse(tensor_of(m), [0])


@implements(np.triu)
def _triu(m: Any) -> Tensor:
    return diagonals.band_part(tensor_of(m), 0, -1)


@implements(np.tril)
def _tril(m: Any) -> Tensor:
    return diagonals.band_part(tensor_of(m), -1, 0)


@implements(np.take)
def _take(a: Any, indices: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return gather.gather(tensor, indices, axis=axis, wrap=True)


@implements(np.sort)
def _sort(a: Any, axis: Any = -1) -> Tensor:
    tensor, axis = flat(a, axis)
    return sorting.sort(tensor, axis)


@implements(np.argsort)
def _argsort(a: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return strong_cast(sorting.argsort(tensor, axis, stable=True), int64)


@implements(np.unique)
def _unique(ar: Any) -> Tensor:
    return sorting.unique(_sort(ar, None)).y
