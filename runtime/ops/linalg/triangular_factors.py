"""LU factorizations, and solutions and inverses from them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import DType, DTypeLike, as_dtype, int32, int64
from runtime.core.shapes import UNKNOWN
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.shape import shape
from runtime.ops.arrays.sorting import argsort
from runtime.ops.convert import matched, to_tensor
from runtime.ops.effects.assertions import assert_equal
from runtime.ops.grad import factorizations as backward
from runtime.ops.linalg.diagonals import band_part, diag, diag_part
from runtime.ops.linalg.factorizations import check_wide, wide
from runtime.ops.linalg.matrices import matmul, square_matrices
from runtime.ops.linalg.solvers import triangular_solve
from runtime.ops.op import apply, define


class Lu(NamedTuple):
    """Both triangular factors in one matrix, and the row of the input for each of its rows."""

    lu: Tensor
    p: Tensor


def _lu_kernel(a: Array, *, output_idx_type: DType) -> tuple[Array, Array]:
    square_matrices(TensorSpec.of_array(a))
    both = a.reshape(math.prod(a.shape[:-2]), *a.shape[-2:]).copy()
    count, size = both.shape[:2]
    order = np.tile(np.arange(size), (count, 1))
    each = np.arange(count)
    for at in range(size):
        # Pivoting: the largest number of a column moves up; division by it loses the fewest digits.
        best = at + np.argmax(np.abs(both[:, at:, at]), axis=1)
        for moved in (both, order):
            moved[each, at], moved[each, best] = moved[each, best], moved[each, at].copy()
        pivots = both[:, at, at]
        if np.any(pivots == 0):
            raise ArgumentValueError("Input is not invertible.")
        both[:, at + 1 :, at] /= pivots[:, None]
        both[:, at + 1 :, at + 1 :] -= both[:, at + 1 :, at, None] * both[:, at, None, at + 1 :]
    return both.reshape(a.shape), order.reshape(a.shape[:-1]).astype(output_idx_type.np_dtype)


def _lu_infer(a: TensorSpec, *, output_idx_type: DType) -> tuple[TensorSpec, TensorSpec]:
    check_wide(a)
    both = TensorSpec(square_matrices(a), a.dtype)
    rows = UNKNOWN if a.shape.rank is None else a.shape[:-1]
    return both, TensorSpec(rows, output_idx_type)


LU = define(
    "lu",
    wide(_lu_kernel),
    _lu_infer,
    kinds="fc",
    n_outputs=2,
    grad=backward.lu,
    tensorflow_name="Lu",
)


def lu(input: TensorLike, output_idx_type: DTypeLike = int32, name: str | None = None) -> Lu:
    """Return both triangular factors of square matrices in one matrix, and the order of the rows.

    Row `p[i]` of the input is row i of the product of the factors. The lower factor has ones on its
    diagonal, which are not in the result.

    Raises:
        InvalidArgumentError: a matrix has no inverse.
        DTypeError: `output_idx_type` is not int32 or int64.

    >>> both, order = lu([[1.0, 2.0], [4.0, 4.0]])
    >>> print(both, order)
    rt.Tensor(
    [[4.   4.  ]
     [0.25 1.  ]], shape=(2, 2), dtype=float32) rt.Tensor([1 0], shape=(2,), dtype=int32)
    """
    dtype = as_dtype(output_idx_type)
    if dtype not in (int32, int64):
        raise DTypeError(f"output_idx_type of lu must be int32 or int64, not {dtype.name}")
    return Lu(*apply(LU, (to_tensor(input),), output_idx_type=dtype))


def lu_solve(
    lower_upper: TensorLike,
    perm: TensorLike,
    rhs: TensorLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x with matrix @ x == rhs, from the result of `lu` for the matrix.

    >>> print(lu_solve(*lu([[1.0, 2.0], [4.0, 4.0]]), [[3.0], [8.0]]))
    rt.Tensor(
    [[1.]
     [1.]], shape=(2, 1), dtype=float32)
    """
    (both, given), _ = matched((lower_upper, rhs), "lu_solve")
    order = _checked_order(both, perm)
    below = triangular_solve(_unit_lower(both), _rows(order, given))
    return triangular_solve(both, below, lower=False)


def lu_reconstruct(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """Return the matrices with this result of `lu`.

    >>> print(lu_reconstruct(*lu([[1.0, 2.0], [4.0, 4.0]])))
    rt.Tensor(
    [[1. 2.]
     [4. 4.]], shape=(2, 2), dtype=float32)
    """
    both = to_tensor(lower_upper)
    order = _checked_order(both, perm)
    ordered = matmul(_unit_lower(both), band_part(both, 0, -1))
    return _rows(argsort(order), ordered)


def lu_matrix_inverse(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """Return the inverses of the matrices with this result of `lu`.

    >>> print(lu_matrix_inverse(*lu([[2.0, 0.0], [0.0, 4.0]])))
    rt.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    both = to_tensor(lower_upper)
    _checked_order(both, perm)
    return lu_solve(both, perm, diag(ones_like(diag_part(both))))


def _checked_order(both: Tensor, perm: Any) -> Tensor:
    order = to_tensor(perm)
    if not order.dtype.is_integer:
        raise DTypeError(
            f"perm must be integers, not {order.dtype.name}: give the perm that lu returned"
        )
    rows = square_matrices(both.spec)
    if rows.rank is not None and not rows[:-1].is_compatible_with(order.shape):
        raise ShapeError(f"perm of shape {order.shape} does not fit matrices of shape {both.shape}")
    if order.shape.rank is not None and not order.shape.is_fully_defined():
        assert_equal(shape(order), shape(both)[:-1], "perm does not fit the matrices")
    return order


def _unit_lower(both: Tensor) -> Tensor:
    below: Any = band_part(both, -1, 0)
    diagonal: Any = diag_part(both)
    result: Tensor = below + diag(1 - diagonal)
    return result


def _rows(order: Tensor, x: Tensor) -> Tensor:
    """Return the rows of matrices in the order of each matrix."""
    if order.shape.rank is None:
        raise ShapeError("the rank of perm must be known: write rt.ensure_shape")
    return gather(x, order, axis=-2, batch_dims=order.shape.rank - 1)
