"""NumPy's functions of matrices, axes and complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int64, uint64
from runtime.core.tensor import Tensor
from runtime.errors import SymbolicTensorError
from runtime.interop.numpy.conversion import promoted, tensor_of
from runtime.interop.numpy.elementwise import vecdot
from runtime.interop.numpy.functions import as_floating, implements, in_sum_dtype
from runtime.ops.arguments import static_axes, static_int
from runtime.ops.arrays import concatenation, cumulative
from runtime.ops.arrays.creation import zeros
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import broadcast_static_shape, broadcast_to, reshape
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise import complex_numbers
from runtime.ops.elementwise.arithmetic import multiply
from runtime.ops.grad.sorting import TAKEN_ALONG
from runtime.ops.infer import axis_of
from runtime.ops.linalg import diagonals, factorizations, matrix_functions, norms
from runtime.ops.linalg import matrices as linalg
from runtime.ops.op import apply

# NumPy has no public names for the classes of these results.
_QR: Any = type(np.linalg.qr(np.eye(1)))
_EIGH: Any = type(np.linalg.eigh(np.eye(1)))
_SVD: Any = type(np.linalg.svd(np.eye(1)))
_SLOGDET: Any = type(np.linalg.slogdet(np.eye(1)))


def _unsupported(option: str) -> SymbolicTensorError:
    return SymbolicTensorError(f"there is no op for {option}")


# -- factorizations --------------------------------------------------------------------------------


@implements(np.linalg.qr)
def _qr(a: Any, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete"):
        raise _unsupported(f"mode={mode!r}: use 'reduced' or 'complete'")
    return _QR(*factorizations.qr(as_floating(a), mode == "complete"))


@implements(np.linalg.svd)
def _svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    if not compute_uv:
        return factorizations.svd(as_floating(a), compute_uv=False)
    s, u, v = factorizations.svd(as_floating(a), full_matrices)
    return _SVD(u, s, linalg.adjoint(v))


@implements(np.linalg.svdvals)
def _svdvals(x: Any) -> Tensor:
    found: Tensor = factorizations.svd(as_floating(x), compute_uv=False)
    return found


@implements(np.linalg.eigh)
def _eigh(a: Any, UPLO: str = "L") -> Any:
    return _EIGH(*factorizations.eigh(_lower(a, UPLO)))


@implements(np.linalg.eigvalsh)
def _eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    return factorizations.eigvalsh(_lower(a, UPLO))


def _lower(a: Any, which: str) -> Tensor:
    """Return matrices whose lower triangle has the values of the triangle `which`."""
    return as_floating(a) if which.upper() == "L" else linalg.adjoint(as_floating(a))


@implements(np.linalg.slogdet)
def _slogdet(a: Any) -> Any:
    return _SLOGDET(*matrix_functions.slogdet(as_floating(a)))


@implements(np.linalg.pinv)
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, rtol: Any = None) -> Tensor:
    least = rcond if rcond is not None else rtol
    x = as_floating(a)
    if least is None:
        least = max(_known_shape(x)[-2:]) * float(np.finfo(x.dtype.np_dtype).eps)
    return matrix_functions.pinv(x, least)


@implements(np.linalg.matrix_rank)
def _matrix_rank(A: Any, tol: Any = None) -> Tensor:
    return strong_cast(matrix_functions.matrix_rank(as_floating(A), tol), int64)


@implements(np.linalg.matrix_power)
def _matrix_power(a: Any, n: int) -> Tensor:
    x, times = tensor_of(a), static_int(n, "n")
    if times < 0:
        x, times = linalg.inv(as_floating(x)), -times
    if not times:
        return linalg.eye(_known_shape(x)[-1], batch_shape=_known_shape(x)[:-2], dtype=x.dtype)
    result, square = None, x
    while times:
        if times % 2:
            result = square if result is None else linalg.matmul(result, square)
        times //= 2
        square = linalg.matmul(square, square) if times else square
    assert result is not None
    return result


def _known_shape(x: Tensor) -> list[int]:
    if not x.shape.is_fully_defined():
        raise _unsupported(f"a shape that only the run knows, as {x.shape} is")
    return [size for size in x.shape.as_list() if size is not None]


# -- products and norms ----------------------------------------------------------------------------


@implements(np.linalg.matmul)
def _matmul(x1: Any, x2: Any) -> Tensor:
    x, y = promoted(x1, x2)
    return linalg.array_product(x, y)


@implements(np.linalg.vecdot)
def _vecdot(x1: Any, x2: Any, axis: int = -1) -> Tensor:
    x, y = (moved(each, axis, -1) for each in promoted(x1, x2))
    return vecdot(x, y)


@implements(np.cross, np.linalg.cross)
def _cross(x1: Any, x2: Any, axis: int = -1) -> Tensor:
    x, y = (moved(each, axis, -1) for each in promoted(x1, x2))
    return moved(linalg.cross(x, y), -1, axis)


@implements(np.linalg.matrix_norm)
def _matrix_norm(x: Any, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    return _real(norms.norm(as_floating(x), ord, (-2, -1), keepdims))


@implements(np.linalg.vector_norm)
def _vector_norm(x: Any, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    if axis is not None and not isinstance(axis, int):
        raise _unsupported("the norm of vectors over several axes")
    return _real(norms.norm(as_floating(x), ord, axis, keepdims))


def _real(x: Tensor) -> Tensor:
    return complex_numbers.real(x) if x.dtype.is_complex else x


@implements(np.linalg.trace)
def _trace(x: Any, offset: int = 0, dtype: Any = None) -> Tensor:
    return reduce_sum(in_sum_dtype(_diagonal(x, offset), dtype), -1)


@implements(np.trace)
def _trace_along(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None
) -> Tensor:
    return _trace(moved(a, (axis1, axis2), (-2, -1)), offset, dtype)


@implements(np.linalg.diagonal)
def _diagonal(x: Any, offset: int = 0) -> Tensor:
    return diagonals.diag_part(tensor_of(x), k=static_int(offset, "offset"))


# -- axes ------------------------------------------------------------------------------------------


@implements(np.matrix_transpose, np.linalg.matrix_transpose)
def _matrix_transpose(x: Any) -> Tensor:
    return linalg.matrix_transpose(tensor_of(x))


@implements(np.moveaxis)
def moved(a: Any, source: Any, destination: Any) -> Tensor:
    """Return a tensor with axes moved; the other axes keep their order.

    >>> moved([[1, 2, 3]], 0, -1).shape
    TensorShape([3, 1])
    """
    x = tensor_of(a)
    rank = len(x.shape)
    begins = [axis_of(axis, rank) for axis in static_axes(source) or ()]
    ends = [axis_of(axis, rank) for axis in static_axes(destination) or ()]
    order = [axis for axis in range(rank) if axis not in begins]
    for end, begin in sorted(zip(ends, begins)):
        order.insert(end, begin)
    return x if order == [*range(rank)] else linalg.transpose(x, order)


@implements(np.unstack)
def _unstack(x: Any, axis: int = 0) -> Any:
    return tuple(concatenation.unstack(tensor_of(x), axis=axis))


@implements(np.broadcast_arrays)
def _broadcast_arrays(*args: Any) -> Any:
    tensors = [tensor_of(each) for each in args]
    shape = tensors[0].shape
    for each in tensors[1:]:
        shape = broadcast_static_shape(shape, each.shape)
    if not shape.is_fully_defined():
        raise _unsupported(f"a shape that only the run knows, as {shape} is")
    return tuple(broadcast_to(each, shape) for each in tensors)


@implements(np.take_along_axis)
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Tensor:
    x, places = tensor_of(arr), tensor_of(indices)
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    found: Tensor = apply(TAKEN_ALONG, (x, places), axis=static_int(axis, "axis"))
    return found


@implements(np.cumulative_sum)
def _cumulative_sum(x: Any, axis: Any = None, include_initial: bool = False) -> Tensor:
    return _cumulative(cumulative.cumsum, x, axis, include_initial, 0)


@implements(np.cumulative_prod)
def _cumulative_prod(x: Any, axis: Any = None, include_initial: bool = False) -> Tensor:
    return _cumulative(cumulative.cumprod, x, axis, include_initial, 1)


def _cumulative(function: Any, x: Any, axis: Any, include_initial: bool, initial: int) -> Tensor:
    tensor = tensor_of(x)
    if tensor.dtype.kind in "biu":
        # NumPy computes in 64 bits.
        tensor = strong_cast(tensor, uint64 if tensor.dtype.is_unsigned else int64)
    at = 0 if axis is None else static_int(axis, "axis")
    found: Tensor = function(tensor, at)
    if not include_initial:
        return found
    sizes = _known_shape(tensor)
    sizes[at] = 1
    first: Any = zeros(sizes, tensor.dtype)
    return concatenation.concat([first + initial, found], at)


# -- complex numbers -------------------------------------------------------------------------------


@implements(np.real)
def _real_part(val: Any) -> Tensor:
    return _real(tensor_of(val))


@implements(np.imag)
def _imaginary_part(val: Any) -> Tensor:
    x = tensor_of(val)
    return complex_numbers.imag(x) if x.dtype.is_complex else multiply(x, to_tensor(0, x.dtype))
