"""NumPy's functions for symbolic tensors, with NumPy's dtypes.

np.sum(x)    ->    rt.reduce_sum(rt.cast(x, rt.int64))        for an int32 tensor x

NumPy computes the sums of small integers in int64 and their means in float64, as do these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype, float64, int64
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.interop.numpy.conversion import adapted, numpy_dtype, promoted, tensor_of
from runtime.interop.numpy.elementwise import trunc
from runtime.ops.arguments import static_int
from runtime.ops.arrays import concatenation, creation, cumulative, indexing, reduction
from runtime.ops.arrays.shape import expand_dims, reshape, shape
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise import complex_numbers, selection
from runtime.ops.elementwise import unary as elementwise
from runtime.ops.elementwise.arithmetic import clip_by_value, maximum, minimum, multiply, subtract
from runtime.ops.elementwise.comparison import equal, less_equal
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import is_nan
from runtime.ops.linalg import diagonals, einsum, norms
from runtime.ops.linalg import matrices as linalg
from runtime.ops.python.numbers import python_round

Function = Callable[..., Any]
FUNCTIONS: dict[Any, Function] = {}
_NOT_GIVEN: Any = object()


def implements(*numpy_functions: Any) -> Callable[[Function], Function]:
    """Register a function as the implementation of NumPy functions for symbolic tensors."""

    def register(function: Function) -> Function:
        FUNCTIONS.update(dict.fromkeys(numpy_functions, function))
        return function

    return register


def in_sum_dtype(x: Any, dtype: Any = None) -> Tensor:
    """Return a tensor in the dtype in which NumPy adds its elements."""
    tensor = tensor_of(x)
    if dtype is not None:
        return strong_cast(tensor, numpy_dtype(dtype))
    return strong_cast(tensor, as_dtype(np.sum(np.ones(1, tensor.dtype.np_dtype)).dtype))


def as_floating(x: Any, dtype: Any = None) -> Tensor:
    """Return a tensor as floats or complex numbers; integers and bools become float64."""
    tensor = tensor_of(x)
    if dtype is not None:
        return strong_cast(tensor, numpy_dtype(dtype))
    return tensor if tensor.dtype.kind in "fc" else strong_cast(tensor, float64)


def flat(x: Any, axis: Any) -> tuple[Tensor, Any]:
    """Return a tensor and an axis; without an axis the tensor is flattened."""
    tensor = tensor_of(x)
    return (reshape(tensor, [-1]), 0) if axis is None else (tensor, axis)


# -- reductions ------------------------------------------------------------------------------------


@implements(np.sum)
def _sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_sum(in_sum_dtype(a, dtype), axis, keepdims)


@implements(np.prod)
def _prod(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_prod(in_sum_dtype(a, dtype), axis, keepdims)


@implements(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_mean(as_floating(a, dtype), axis, keepdims)


@implements(np.std)
def _std(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_std(as_floating(a, dtype), axis, keepdims)


@implements(np.var)
def _var(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_variance(as_floating(a, dtype), axis, keepdims)


@implements(np.max, np.amax)
def _max(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_max(tensor_of(a), axis, keepdims)


@implements(np.min, np.amin)
def _min(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_min(tensor_of(a), axis, keepdims)


@implements(np.ptp)
def _ptp(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return subtract(_max(a, axis, keepdims), _min(a, axis, keepdims))


@implements(np.any)
def _any(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_any(_truths(a), axis, keepdims)


@implements(np.all)
def _all(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reduction.reduce_all(_truths(a), axis, keepdims)


def _truths(a: Any) -> Tensor:
    tensor = tensor_of(a)
    return tensor if tensor.dtype.is_bool else strong_cast(tensor, as_dtype(bool))


@implements(np.count_nonzero)
def _count_nonzero(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return _sum(_truths(a), axis, None, keepdims)


@implements(np.argmax)
def _argmax(a: Any, axis: Any = None) -> Tensor:
    return _extreme_position(reduction.argmax, *flat(a, axis))


@implements(np.argmin)
def _argmin(a: Any, axis: Any = None) -> Tensor:
    return _extreme_position(reduction.argmin, *flat(a, axis))


def _extreme_position(function: Any, tensor: Tensor, axis: Any) -> Tensor:
    """Return the position of the extreme element: in NumPy that is the first NaN, if any."""
    found: Tensor = function(tensor, axis, output_type=int64)
    if not tensor.dtype.is_floating:
        return found
    missing = strong_cast(is_nan(tensor), int64)
    first = reduction.argmax(missing, axis, output_type=int64)
    return where(reduction.reduce_max(missing, axis) > 0, first, found)


@implements(np.cumsum)
def _cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Tensor:
    tensor, axis = flat(in_sum_dtype(a, dtype), axis)
    return cumulative.cumsum(tensor, axis)


@implements(np.cumprod)
def _cumprod(a: Any, axis: Any = None, dtype: Any = None) -> Tensor:
    tensor, axis = flat(in_sum_dtype(a, dtype), axis)
    return cumulative.cumprod(tensor, axis)


@implements(np.linalg.norm)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    wide = as_floating(x)
    if ord is not None and axis is None and wide.shape.rank != 1:
        # NumPy has norms of one matrix then; ours are of all elements.
        axis = (-2, -1)
    found = norms.norm(wide, "euclidean" if ord is None else ord, axis, keepdims)
    return complex_numbers.real(found) if found.dtype.is_complex else found


# -- elements --------------------------------------------------------------------------------------


@implements(np.where)
def _where(condition: Any, x: Any = _NOT_GIVEN, y: Any = _NOT_GIVEN) -> Any:
    if x is _NOT_GIVEN and y is _NOT_GIVEN:
        positions = strong_cast(selection.where(_truths(condition)), int64)
        return tuple(concatenation.unstack(positions, axis=1))
    then, orelse = promoted(x, y)
    return selection.where(_truths(condition), then, orelse)


@implements(np.nonzero)
def _nonzero(a: Any) -> Any:
    return _where(a)


@implements(np.select)
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    *choices, found = promoted(*choicelist, default)
    for condition, choice in reversed(list(zip(condlist, choices, strict=True))):
        found = selection.where(_truths(condition), choice, found)
    return found


@implements(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None) -> Tensor:
    try:
        return _clipped(tensor_of(a), a_min, a_max)
    except DTypeError:
        given = [a, *(each for each in (a_min, a_max) if each is not None)]
        tensor, *bounds = promoted(*given)
        low = None if a_min is None else bounds[0]
        return _clipped(tensor, low, None if a_max is None else bounds[-1])


def _clipped(tensor: Tensor, low: Any, high: Any) -> Tensor:
    if low is not None and high is not None:
        return clip_by_value(tensor, low, high)
    bounded = tensor if low is None else maximum(tensor, low)
    return bounded if high is None else minimum(bounded, high)


# No float has a significant digit further from the decimal point.
_MOST_DECIMALS = 308


@implements(np.round, np.around)
def _round(a: Any, decimals: int = 0) -> Tensor:
    tensor = tensor_of(a)
    if not -_MOST_DECIMALS <= decimals <= _MOST_DECIMALS:
        raise ArgumentValueError(
            f"round: decimals must be from -{_MOST_DECIMALS} to {_MOST_DECIMALS}, not {decimals}"
        )
    if decimals == 0 or not tensor.dtype.is_floating:
        return elementwise.round(tensor) if decimals == 0 else python_round(tensor, decimals)
    scale = float(10**decimals)
    return elementwise.round(tensor * scale) / scale


@implements(np.fix)
def _fix(x: Any) -> Tensor:
    return trunc(tensor_of(x))


@implements(np.isclose)
def _isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    x, y = (strong_cast(as_floating(each), float64) for each in promoted(a, b))
    bound = atol + rtol * elementwise.abs(y)
    close = less_equal(elementwise.abs(subtract(x, y)), bound)
    return selection.where(elementwise.is_finite(y), close, equal(x, y))


@implements(np.allclose)
def _allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    return reduction.reduce_all(_isclose(a, b, rtol, atol))


@implements(np.array_equal)
def _array_equal(a1: Any, a2: Any) -> Tensor:
    x, y = promoted(a1, a2)
    if not x.shape.is_compatible_with(y.shape):
        return to_tensor(False)
    return reduction.reduce_all(equal(x, y))


@implements(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1) -> Tensor:
    tensor = tensor_of(a)
    for _ in range(static_int(n, "n")):
        upper, lower = (_sliced(tensor, axis, part) for part in (slice(1, None), slice(None, -1)))
        tensor = subtract(upper, lower)
    return tensor


def _sliced(tensor: Tensor, axis: int, part: slice) -> Tensor:
    rank = len(tensor.shape)
    index = tuple(part if place == axis % rank else slice(None) for place in range(rank))
    return indexing.get_item(tensor, index)


# -- arrays of the same shape ----------------------------------------------------------------------


def _optional_dtype(dtype: Any) -> Any:
    return None if dtype is None else numpy_dtype(dtype)


@implements(np.zeros_like, np.empty_like)
def _zeros_like(a: Any, dtype: Any = None) -> Tensor:
    return creation.zeros_like(tensor_of(a), _optional_dtype(dtype))


@implements(np.ones_like)
def _ones_like(a: Any, dtype: Any = None) -> Tensor:
    return creation.ones_like(tensor_of(a), _optional_dtype(dtype))


@implements(np.full_like)
def _full_like(a: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    ones = creation.ones_like(tensor_of(a), _optional_dtype(dtype))
    return multiply(ones, adapted(fill_value, ones.dtype))


# -- products --------------------------------------------------------------------------------------


@implements(np.dot)
def _dot(a: Any, b: Any) -> Tensor:
    x, y = promoted(a, b)
    if not (len(x.shape) and len(y.shape)):
        return multiply(x, y)
    return einsum.tensordot(x, y, [[-1 % len(x.shape)], [max(len(y.shape) - 2, 0)]])


@implements(np.inner)
def _inner(a: Any, b: Any) -> Tensor:
    x, y = promoted(a, b)
    if not (len(x.shape) and len(y.shape)):
        return multiply(x, y)
    return einsum.tensordot(x, y, [[len(x.shape) - 1], [len(y.shape) - 1]])


@implements(np.vdot)
def _vdot(a: Any, b: Any) -> Tensor:
    first, second = (reshape(each, [-1]) for each in promoted(a, b))
    return _dot(complex_numbers.conj(first), second)


@implements(np.polyval)
def _polyval(p: Any, x: Any) -> Tensor:
    coefficients, value = promoted(p, tensor_of(x))
    result = creation.zeros_like(value)
    for each in concatenation.unstack(coefficients):
        result = result * value + each
    return result


@implements(np.outer, np.linalg.outer)
def _outer(a: Any, b: Any) -> Tensor:
    x, y = promoted(a, b)
    return multiply(reshape(x, [-1, 1]), reshape(y, [1, -1]))


@implements(np.kron)
def _kron(a: Any, b: Any) -> Tensor:
    x, y = promoted(a, b)
    rank = max(len(x.shape), len(y.shape))
    x, y = (_with_rank(each, rank) for each in (x, y))
    sizes = multiply(shape(x), shape(y))
    for axis in range(rank):
        x, y = expand_dims(x, 2 * axis + 1), expand_dims(y, 2 * axis)
    return reshape(multiply(x, y), sizes)


def _with_rank(x: Tensor, rank: int) -> Tensor:
    return x if len(x.shape) == rank else _with_rank(expand_dims(x, 0), rank)


@implements(np.tensordot, np.linalg.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    x, y = promoted(a, b)
    return einsum.tensordot(x, y, axes)


@implements(np.einsum)
def _einsum(subscripts: str, *operands: Any) -> Tensor:
    return einsum.einsum(subscripts, *promoted(*operands))


# -- matrices --------------------------------------------------------------------------------------


@implements(np.diag)
def _diag(v: Any) -> Tensor:
    tensor = tensor_of(v)
    return diagonals.diag(tensor) if len(tensor.shape) == 1 else diagonals.diag_part(tensor)


@implements(np.linalg.inv)
def _inv(a: Any) -> Tensor:
    return linalg.inv(as_floating(a))


@implements(np.linalg.det)
def _det(a: Any) -> Tensor:
    return linalg.det(as_floating(a))


@implements(np.linalg.solve)
def _solve(a: Any, b: Any) -> Tensor:
    matrix, right = promoted(as_floating(a), as_floating(b))
    if len(right.shape) == 1:
        return reshape(linalg.solve(matrix, reshape(right, [-1, 1])), [-1])
    return linalg.solve(matrix, right)


@implements(np.linalg.cholesky)
def _cholesky(a: Any) -> Tensor:
    return linalg.cholesky(as_floating(a))
