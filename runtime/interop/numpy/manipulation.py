"""NumPy's array manipulation functions: shapes, joins, repetition, sorting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.dtypes import int32, int64
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError, SymbolicTensorError, of_tracing
from runtime.interop.numpy.conversion import adapted, as_array, promoted, tensor_of
from runtime.interop.numpy.functions import FUNCTIONS, does, flat
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

# A tuple, or a list before NumPy 2.
_AS_MANY: Any = type(np.atleast_1d(0, 0))

# -- shapes --------------------------------------------------------------------------------------


@does(np.reshape)
def _reshape(a: Any, newshape: Any = None, *, shape: Any = None) -> Tensor:
    return reshape(tensor_of(a), shape if newshape is None else newshape)


@does(np.ravel)
def _ravel(a: Any) -> Tensor:
    return reshape(tensor_of(a), [-1])


@does(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Tensor:
    return linalg.transpose(tensor_of(a), axes)


@does(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    order = list(range(len(tensor_of(a).shape)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return linalg.transpose(tensor_of(a), order)


@does(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Tensor:
    return shape.expand_dims(tensor_of(a), axis)


@does(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Tensor:
    return shape.squeeze(tensor_of(a), axis)


FUNCTIONS[np.broadcast_to] = broadcast_to


@does(np.shape)
def _shape(a: Any) -> tuple[int, ...]:
    known = tensor_of(a).shape
    dims = tuple(dim for dim in known.dims or () if dim is not None)
    if not known.is_fully_defined():
        raise of_tracing(
            ShapeError(f"the shape {known} is not fully known while tracing: use rt.shape(x)")
        )
    return dims


@does(np.ndim)
def _ndim(a: Any) -> int:
    return len(tensor_of(a).shape)


@does(np.size)
def _size(a: Any) -> Any:
    known = tensor_of(a).shape.is_fully_defined()
    return math.prod(_shape(a)) if known else shape.size(a)


# -- putting together and taking apart -------------------------------------------------------------


def _parts(arrays: Any) -> list[Tensor] | Tensor:
    """Return the tensors to join, of one dtype; or one tensor if their number is not known."""
    whole = tensor_of(arrays) if isinstance(arrays, Tensor) or holds_dynamic_items(arrays) else None
    if whole is None:
        return promoted(*map(as_array, arrays))
    return whole if whole.shape[0] is None else list(concatenation.unstack(whole))


@does(np.concatenate)
def _concatenate(arrays: Any, axis: Any = 0) -> Tensor:
    if holds_dynamic_items(arrays) and axis == 0:
        return concatenation.concat(arrays, 0)
    tensors = _parts(arrays)
    if axis is None and isinstance(tensors, Tensor):
        return reshape(tensors, [-1])
    if axis is None:
        tensors, axis = [reshape(tensor, [-1]) for tensor in tensors], 0
    if isinstance(tensors, list):
        return concatenation.concat(tensors, axis)
    if axis != 0 or len(tensors.shape) < 2:
        raise _only_along("np.concatenate")
    return _merged(tensors)


def _merged(rows: Tensor) -> Tensor:
    """Return a tensor with its first two axes as one."""
    known = [shape.shape(rows)[k] if n is None else n for k, n in enumerate(rows.shape[2:], 2)]
    return reshape(rows, [-1, *known])


def _only_along(name: str) -> SymbolicTensorError:
    return SymbolicTensorError(
        f"{name} joins as many arrays as are known when the graph runs, which it can only along "
        "the first axis: collect them in a tensor with rt.concat in the loop",
        caller_origin(),
    )


@does(np.stack)
def _stack(arrays: Any, axis: int = 0) -> Tensor:
    tensors = _parts(arrays)
    if isinstance(tensors, list):
        return concatenation.stack(tensors, axis)
    order = list(range(1, len(tensors.shape)))
    order.insert(axis if axis >= 0 else axis + len(tensors.shape), 0)
    return linalg.transpose(tensors, order) if axis else tensors


@does(np.vstack)
def _vstack(tup: Any) -> Tensor:
    tensors = _parts(tup)
    if not isinstance(tensors, list):
        return _merged(tensors) if len(tensors.shape) > 2 else _as_rows(tensors)
    return concatenation.concat(
        [t if len(t.shape) > 1 else reshape(t, [1, -1]) for t in tensors], 0
    )


def _as_rows(tensor: Tensor) -> Tensor:
    return tensor if len(tensor.shape) == 2 else reshape(tensor, [-1, 1])


@does(np.hstack)
def _hstack(tup: Any) -> Tensor:
    tensors = _parts(tup)
    if not isinstance(tensors, list):
        if len(tensors.shape) > 2:
            raise _only_along("np.hstack")
        return reshape(tensors, [-1])
    parts = [t if len(t.shape) else reshape(t, [1]) for t in tensors]
    return concatenation.concat(parts, 0 if len(parts[0].shape) == 1 else 1)


@does(np.column_stack)
def _column_stack(tup: Any) -> Tensor:
    tensors = _parts(tup)
    if not isinstance(tensors, list):
        raise _only_along("np.column_stack")
    return concatenation.concat(
        [t if len(t.shape) > 1 else reshape(t, [-1, 1]) for t in tensors], 1
    )


@does(np.append)
def _append(arr: Any, values: Any, axis: Any = None) -> Tensor:
    return _concatenate([as_array(arr), as_array(values)], axis)


@does(np.insert)
def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(arr, axis)
    row, place, size = _place_in(tensor, obj, axis, "np.insert", 1)
    item = strong_cast(tensor_of(values), tensor.dtype)
    if axis and item.shape.rank:
        raise SymbolicTensorError(
            "np.insert of an array along an axis that is not the first one: write np.concatenate",
            caller_origin(),
        )
    numbers: Any = range_(size + 1)
    kept = gather.gather(
        tensor, where(less(numbers, place), numbers, maximum(numbers - 1, 0)), axis=axis
    )
    is_new = reshape(equal(numbers, place), [-1, *[1] * row])
    return where(is_new, item, kept)


@does(np.delete)
def _delete(arr: Any, obj: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(arr, axis)
    _, place, size = _place_in(tensor, obj, axis, "np.delete", 0)
    numbers: Any = range_(size - 1)
    return gather.gather(tensor, where(less(numbers, place), numbers, numbers + 1), axis=axis)


def _place_in(tensor: Any, obj: Any, axis: int, name: str, more: int) -> tuple[int, Any, int]:
    """Return the number of axes after one, a place along it from its start, and its length.

    Raises:
        SymbolicTensorError: there is not one place, or the length is not known.
    """
    size, place = tensor.shape[axis], obj if isinstance(obj, slice) else tensor_of(obj)
    if size is None or isinstance(place, slice) or place.shape.rank != 0:
        raise SymbolicTensorError(
            f"{name} at other than one place, or where a length is not known: write np.concatenate "
            "of the parts, as in np.concatenate([a[:i], [x], a[i:]])",
            caller_origin(),
        )
    place = strong_cast(place, int64)
    from_start: Any = where(less(place, 0), place + size, place)
    bounds = f"index is out of bounds for axis {axis} with size {size}"
    assert_less(from_start, size + more, message=bounds)
    numbers = len(tensor.shape) - 1 - axis % len(tensor.shape)
    return numbers, strong_cast(from_start, int32), size


@does(np.split)
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


@does(np.array_split)
def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    tensor = tensor_of(ary)
    size = tensor.shape[axis]
    if not isinstance(indices_or_sections, (int, np.integer)) or size is None:
        return _split(tensor, indices_or_sections, axis)
    each, more = divmod(size, int(indices_or_sections))
    sizes = [each + (k < more) for k in range(int(indices_or_sections))]
    return list(concatenation.split(tensor, sizes, axis))


@does(np.pad)
def _pad(array: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Tensor:
    if mode not in ("constant", "reflect", "symmetric"):
        raise ArgumentValueError(f"np.pad in a graph is constant, reflect or symmetric, not {mode}")
    tensor = tensor_of(array)
    widths = np.broadcast_to(known_array(pad_width, "pad_width"), (len(tensor.shape), 2))
    filler = adapted(constant_values, tensor.dtype)
    if len(filler.shape):
        raise ArgumentValueError("np.pad in a graph takes one constant value")
    return padding.pad(tensor, widths, mode, filler)


@does(np.atleast_1d)
def _atleast_1d(*arys: Any) -> Any:
    found = [reshape(t, [1]) if len(t.shape) == 0 else t for t in map(tensor_of, arys)]
    return found[0] if len(found) == 1 else _AS_MANY(found)


@does(np.atleast_2d)
def _atleast_2d(*arys: Any) -> Any:
    found = [reshape(t, [1, -1]) if len(t.shape) < 2 else t for t in map(tensor_of, arys)]
    return found[0] if len(found) == 1 else _AS_MANY(found)


@does(np.tile)
def _tile(A: Any, reps: Any) -> Tensor:
    tensor = tensor_of(A)
    is_one = not isinstance(reps, (list, tuple)) and len(tensor_of(reps).shape) == 0
    counts = [reps] if is_one else list(reps)
    missing = len(tensor.shape) - len(counts)
    for _ in range(-missing):
        tensor = shape.expand_dims(tensor, 0)
    return concatenation.tile(tensor, [1] * missing + counts)


@does(np.repeat)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return concatenation.repeat(tensor, repeats, axis)


@does(np.flip)
def _flip(m: Any, axis: Any = None) -> Tensor:
    axes = list(range(len(tensor_of(m).shape))) if axis is None else axis
    return concatenation.reverse(tensor_of(m), axes if isinstance(axes, (list, tuple)) else [axes])


@does(np.roll)
def _roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    tensor, place = flat(a, axis)
    rolled = concatenation.roll(tensor, shift, place)
    return rolled if axis is not None else reshape(rolled, shape.shape(a))


@does(np.fliplr)
def _fliplr(m: Any) -> Tensor:
    return concatenation.reverse(tensor_of(m), [1])


@does(np.flipud)
def _flipud(m: Any) -> Tensor:
    return concatenation.reverse(tensor_of(m), [0])


@does(np.triu)
def _triu(m: Any) -> Tensor:
    return diagonals.band_part(tensor_of(m), 0, -1)


@does(np.tril)
def _tril(m: Any) -> Tensor:
    return diagonals.band_part(tensor_of(m), -1, 0)


@does(np.take)
def _take(a: Any, indices: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return gather.gather(tensor, indices, axis=axis, wrap=True)


@does(np.sort)
def _sort(a: Any, axis: Any = -1) -> Tensor:
    tensor, axis = flat(a, axis)
    return sorting.sort(tensor, axis)


@does(np.argsort)
def _argsort(a: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return strong_cast(sorting.argsort(tensor, axis, stable=True), int64)


@does(np.unique)
def _unique(ar: Any) -> Tensor:
    return sorting.unique(_sort(ar, None)).y
