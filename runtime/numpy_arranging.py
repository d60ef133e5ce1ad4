"""NumPy's functions that arrange: shapes, joins, repetitions, orders; for symbolic tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import int64
from runtime.errors import ShapeError
from runtime.numpy_functions import FUNCTIONS, does, flat, promoted
from runtime.ops import combining, gather, linalg, shape, sorting
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.shape import broadcast_to, reshape
from runtime.tensor import Tensor

# -- shapes --------------------------------------------------------------------------------------


@does(np.reshape)
def _reshape(a: Any, newshape: Any = None, *, shape: Any = None) -> Tensor:
    return reshape(a, shape if newshape is None else newshape)


@does(np.ravel)
def _ravel(a: Any) -> Tensor:
    return reshape(a, [-1])


@does(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Tensor:
    return linalg.transpose(a, axes)


@does(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    order = list(range(len(to_tensor(a).shape)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return linalg.transpose(a, order)


@does(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Tensor:
    return shape.expand_dims(a, axis)


@does(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Tensor:
    return shape.squeeze(a, axis)


FUNCTIONS[np.broadcast_to] = broadcast_to


@does(np.shape)
def _shape(a: Any) -> tuple[int, ...]:
    known = to_tensor(a).shape
    dims = tuple(dim for dim in known.dims or () if dim is not None)
    if not known.is_fully_defined():
        raise ShapeError(f"the shape {known} is not fully known while tracing: use rt.shape(x)")
    return dims


@does(np.ndim)
def _ndim(a: Any) -> int:
    return len(to_tensor(a).shape)


@does(np.size)
def _size(a: Any) -> Any:
    known = to_tensor(a).shape.is_fully_defined()
    return math.prod(_shape(a)) if known else shape.size(a)


# -- putting together and taking apart -------------------------------------------------------------


@does(np.concatenate)
def _concatenate(arrays: Any, axis: Any = 0) -> Tensor:
    tensors = promoted(*arrays)
    if axis is None:
        tensors, axis = [reshape(tensor, [-1]) for tensor in tensors], 0
    return combining.concat(tensors, axis)


@does(np.stack)
def _stack(arrays: Any, axis: int = 0) -> Tensor:
    return combining.stack(promoted(*arrays), axis)


@does(np.vstack)
def _vstack(tup: Any) -> Tensor:
    rows = [t if len(t.shape) > 1 else reshape(t, [1, -1]) for t in promoted(*tup)]
    return combining.concat(rows, 0)


@does(np.hstack)
def _hstack(tup: Any) -> Tensor:
    parts = [t if len(t.shape) else reshape(t, [1]) for t in promoted(*tup)]
    return combining.concat(parts, 0 if len(parts[0].shape) == 1 else 1)


@does(np.tile)
def _tile(A: Any, reps: Any) -> Tensor:
    tensor = to_tensor(A)
    counts = [reps] if isinstance(reps, int) else list(reps)
    missing = len(tensor.shape) - len(counts)
    for _ in range(-missing):
        tensor = shape.expand_dims(tensor, 0)
    return combining.tile(tensor, [1] * missing + counts)


@does(np.repeat)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return combining.repeat(tensor, repeats, axis)


@does(np.flip)
def _flip(m: Any, axis: Any = None) -> Tensor:
    axes = list(range(len(to_tensor(m).shape))) if axis is None else axis
    return combining.reverse(m, axes if isinstance(axes, (list, tuple)) else [axes])


@does(np.roll)
def _roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    tensor, place = flat(a, axis)
    rolled = combining.roll(tensor, shift, place)
    return rolled if axis is not None else reshape(rolled, shape.shape(a))


@does(np.take)
def _take(a: Any, indices: Any, axis: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return gather.gather(tensor, indices, axis=axis)


@does(np.sort)
def _sort(a: Any, axis: Any = -1) -> Tensor:
    tensor, axis = flat(a, axis)
    return sorting.sort(tensor, axis)


@does(np.argsort)
def _argsort(a: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> Tensor:
    tensor, axis = flat(a, axis)
    return strong_cast(sorting.argsort(tensor, axis, stable=True), int64)
