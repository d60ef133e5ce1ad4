"""NumPy's functions for symbolic tensors: the ops that do the same, with NumPy's dtypes.

np.sum(x)    ->    rt.reduce_sum(rt.cast(x, rt.int64))        for an int32 tensor x

NumPy sums small ints as int64 and means them as float64, and so do these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.dtypes import as_dtype, float64, int64
from runtime.errors import ShapeError
from runtime.ops import (
    combining,
    creation,
    cumulative,
    einsum,
    elementwise,
    gather,
    indexing,
    linalg,
    reduction,
    selection,
    shape,
    sorting,
)
from runtime.ops.arguments import static_int
from runtime.ops.arithmetic import clip_by_value, maximum, minimum, multiply, subtract
from runtime.ops.comparison import equal, less_equal
from runtime.ops.convert import matched, strong_cast, to_tensor
from runtime.ops.python_numbers import python_round
from runtime.ops.shape import broadcast_to, reshape
from runtime.tensor import Tensor

Function = Callable[..., Any]
FUNCTIONS: dict[Any, Function] = {}


def does(*numpy_functions: Any) -> Callable[[Function], Function]:
    """Register a function as what NumPy's functions of these names do on symbolic tensors."""

    def register(function: Function) -> Function:
        FUNCTIONS.update(dict.fromkeys(numpy_functions, function))
        return function

    return register


def _wide(x: Any, dtype: Any = None) -> Tensor:
    """Return a tensor in the dtype NumPy adds its elements in."""
    tensor = to_tensor(x)
    if dtype is not None:
        return strong_cast(tensor, as_dtype(dtype))
    return strong_cast(tensor, as_dtype(np.sum(np.ones(1, tensor.dtype.np_dtype)).dtype))


def _floating(x: Any, dtype: Any = None) -> Tensor:
    tensor = to_tensor(x)
    if dtype is not None:
        return strong_cast(tensor, as_dtype(dtype))
    return tensor if tensor.dtype.kind in "fc" else strong_cast(tensor, float64)


def _flat(x: Any, axis: Any) -> tuple[Tensor, Any]:
    """Return a tensor and an axis for a function that looks at all elements without one."""
    tensor = to_tensor(x)
    return (reshape(tensor, [-1]), 0) if axis is None else (tensor, axis)


# -- reductions ------------------------------------------------------------------------------------


@does(np.sum)
def _sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_sum(_wide(a, dtype), axis, keepdims)


@does(np.prod)
def _prod(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_prod(_wide(a, dtype), axis, keepdims)


@does(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_mean(_floating(a, dtype), axis, keepdims)


@does(np.std)
def _std(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_std(_floating(a, dtype), axis, keepdims)


@does(np.var)
def _var(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_variance(_floating(a, dtype), axis, keepdims)


@does(np.max, np.amax)
def _max(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_max(a, axis, keepdims)


@does(np.min, np.amin)
def _min(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_min(a, axis, keepdims)


@does(np.ptp)
def _ptp(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return subtract(_max(a, axis, keepdims), _min(a, axis, keepdims))


@does(np.any)
def _any(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_any(_truths(a), axis, keepdims)


@does(np.all)
def _all(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_all(_truths(a), axis, keepdims)


def _truths(a: Any) -> Tensor:
    tensor = to_tensor(a)
    return tensor if tensor.dtype.is_bool else strong_cast(tensor, as_dtype(bool))


@does(np.count_nonzero)
def _count_nonzero(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return _sum(_truths(a), axis, None, keepdims)


@does(np.argmax)
def _argmax(a: Any, axis: Any = None) -> Tensor:
    tensor, axis = _flat(a, axis)
    return reduction.argmax(tensor, axis, output_type=int64)


@does(np.argmin)
def _argmin(a: Any, axis: Any = None) -> Tensor:
    tensor, axis = _flat(a, axis)
    return reduction.argmin(tensor, axis, output_type=int64)


@does(np.cumsum)
def _cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Tensor:
    tensor, axis = _flat(_wide(a, dtype), axis)
    return cumulative.cumsum(tensor, axis)


@does(np.cumprod)
def _cumprod(a: Any, axis: Any = None, dtype: Any = None) -> Tensor:
    tensor, axis = _flat(_wide(a, dtype), axis)
    return cumulative.cumprod(tensor, axis)


@does(np.linalg.norm)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    return einsum.norm(_floating(x), "euclidean" if ord is None else ord, axis, keepdims)


# -- elements --------------------------------------------------------------------------------------


@does(np.where)
def _where(condition: Any, x: Any, y: Any) -> Tensor:
    then, orelse = promoted(x, y)
    return selection.where(_truths(condition), then, orelse)


@does(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None) -> Tensor:
    if a_min is not None and a_max is not None:
        return clip_by_value(a, a_min, a_max)
    bounded = a if a_min is None else maximum(a, a_min)
    return bounded if a_max is None else minimum(bounded, a_max)


@does(np.round, np.around)
def _round(a: Any, decimals: int = 0) -> Tensor:
    tensor = to_tensor(a)
    if decimals == 0 or not tensor.dtype.is_floating:
        return elementwise.round(tensor) if decimals == 0 else python_round(tensor, decimals)
    scale = float(10**decimals)
    return elementwise.round(tensor * scale) / scale


@does(np.isclose)
def _isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    x, y = (strong_cast(_floating(each), float64) for each in promoted(a, b))
    bound = atol + rtol * elementwise.abs(y)
    close = less_equal(elementwise.abs(subtract(x, y)), bound)
    return selection.where(elementwise.is_finite(y), close, equal(x, y))


@does(np.allclose)
def _allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    return reduction.reduce_all(_isclose(a, b, rtol, atol))


@does(np.array_equal)
def _array_equal(a1: Any, a2: Any) -> Tensor:
    x, y = promoted(a1, a2)
    if not x.shape.is_compatible_with(y.shape):
        return to_tensor(False)
    return reduction.reduce_all(equal(x, y))


@does(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1) -> Tensor:
    tensor = to_tensor(a)
    for _ in range(static_int(n, "n")):
        upper, lower = (_sliced(tensor, axis, part) for part in (slice(1, None), slice(None, -1)))
        tensor = subtract(upper, lower)
    return tensor


def _sliced(tensor: Tensor, axis: int, part: slice) -> Tensor:
    rank = len(tensor.shape)
    index = tuple(part if place == axis % rank else slice(None) for place in range(rank))
    return indexing.get_item(tensor, index)


# -- shapes ----------------------------------------------------------------------------------------


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


def promoted(*values: Any) -> list[Tensor]:
    """Return tensors of the one dtype NumPy gives them; Python numbers adapt as literals do."""
    numbers = [value for value in values if not isinstance(value, (bool, int, float, complex))]
    if not numbers:
        return matched(values, "promote")[0]
    dtypes = [to_tensor(value).dtype.np_dtype for value in numbers]
    kinds = [value for value in values if isinstance(value, (bool, int, float, complex))]
    target = as_dtype(np.result_type(*dtypes, *kinds))
    return [strong_cast(to_tensor(value), target) for value in values]


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
    tensor, axis = _flat(a, axis)
    return combining.repeat(tensor, repeats, axis)


@does(np.flip)
def _flip(m: Any, axis: Any = None) -> Tensor:
    axes = list(range(len(to_tensor(m).shape))) if axis is None else axis
    return combining.reverse(m, axes if isinstance(axes, (list, tuple)) else [axes])


@does(np.roll)
def _roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    tensor, place = _flat(a, axis)
    rolled = combining.roll(tensor, shift, place)
    return rolled if axis is not None else reshape(rolled, shape.shape(a))


@does(np.take)
def _take(a: Any, indices: Any, axis: Any = None) -> Tensor:
    tensor, axis = _flat(a, axis)
    return gather.gather(tensor, indices, axis=axis)


@does(np.sort)
def _sort(a: Any, axis: Any = -1) -> Tensor:
    tensor, axis = _flat(a, axis)
    return sorting.sort(tensor, axis)


@does(np.argsort)
def _argsort(a: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> Tensor:
    tensor, axis = _flat(a, axis)
    return strong_cast(sorting.argsort(tensor, axis, stable=True), int64)


# -- new ones, products ----------------------------------------------------------------------------


@does(np.zeros_like)
def _zeros_like(a: Any, dtype: Any = None) -> Tensor:
    return creation.zeros_like(a, dtype)


@does(np.ones_like)
def _ones_like(a: Any, dtype: Any = None) -> Tensor:
    return creation.ones_like(a, dtype)


@does(np.full_like)
def _full_like(a: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    ones = creation.ones_like(a, dtype)
    return multiply(ones, strong_cast(to_tensor(fill_value), ones.dtype))


@does(np.dot)
def _dot(a: Any, b: Any) -> Tensor:
    x, y = promoted(a, b)
    if not (len(x.shape) and len(y.shape)):
        return multiply(x, y)
    return einsum.tensordot(x, y, [[-1 % len(x.shape)], [max(len(y.shape) - 2, 0)]])


@does(np.inner)
def _inner(a: Any, b: Any) -> Tensor:
    x, y = promoted(a, b)
    if not (len(x.shape) and len(y.shape)):
        return multiply(x, y)
    return einsum.tensordot(x, y, [[len(x.shape) - 1], [len(y.shape) - 1]])


@does(np.outer)
def _outer(a: Any, b: Any) -> Tensor:
    x, y = promoted(a, b)
    return multiply(reshape(x, [-1, 1]), reshape(y, [1, -1]))


@does(np.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    x, y = promoted(a, b)
    return einsum.tensordot(x, y, axes)


@does(np.einsum)
def _einsum(subscripts: str, *operands: Any) -> Tensor:
    return einsum.einsum(subscripts, *promoted(*operands))


@does(np.trace)
def _trace(a: Any) -> Tensor:
    return _sum(linalg.diag_part(a), axis=-1)


@does(np.diag)
def _diag(v: Any) -> Tensor:
    tensor = to_tensor(v)
    return linalg.diag(tensor) if len(tensor.shape) == 1 else linalg.diag_part(tensor)


@does(np.linalg.inv)
def _inv(a: Any) -> Tensor:
    return linalg.inv(_floating(a))


@does(np.linalg.det)
def _det(a: Any) -> Tensor:
    return linalg.det(_floating(a))


@does(np.linalg.solve)
def _solve(a: Any, b: Any) -> Tensor:
    matrix, right = promoted(_floating(a), _floating(b))
    return linalg.solve(matrix, right)


@does(np.linalg.cholesky)
def _cholesky(a: Any) -> Tensor:
    return linalg.cholesky(_floating(a))
