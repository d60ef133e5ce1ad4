"""Matrices: products, transposes, traces, inverses, determinants, Cholesky factors, solutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import flag, listed
from runtime.core.dtypes import DType, DTypeLike, as_dtype, float32
from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import UNKNOWN, Dims, ShapeLike, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import check_list, dims_argument, final_shape, static_axes
from runtime.ops.arrays.concatenation import stack, unstack
from runtime.ops.arrays.dynamic_split import is_run_time_value, transpose_at_run_time
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import expand_dims, squeeze
from runtime.ops.convert import compared, matched, strong_cast, to_tensor
from runtime.ops.elementwise.complex_numbers import conj
from runtime.ops.grad import matrices as backward
from runtime.ops.gradient_rules import GradientPerInput, sum_to_like
from runtime.ops.gradient_rules import conjugate as conjugated
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matmul_kernels import product
from runtime.ops.op import apply, define

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")


def _matmul_kernel(
    a: Array, b: Array, *, transpose_a: bool = False, transpose_b: bool = False
) -> Array:
    if a.ndim < 2 or b.ndim < 2:
        raise ShapeError(_not_matrices(TensorShape.of(a.shape), TensorShape.of(b.shape)))
    x = np.swapaxes(a, -1, -2) if transpose_a else a
    y = np.swapaxes(b, -1, -2) if transpose_b else b
    return product(x, y)


def _matmul_infer(
    a: TensorSpec, b: TensorSpec, *, transpose_a: bool = False, transpose_b: bool = False
) -> TensorSpec:
    infer.check_same_dtype(a, b)
    if any(spec.shape.rank in (0, 1) for spec in (a, b)):
        raise ShapeError(_not_matrices(a.shape, b.shape))
    if a.shape.rank is None or b.shape.rank is None:
        return TensorSpec(None, a.dtype)
    rows, inner = _swapped(a.shape[-2:], transpose_a)
    other, columns = _swapped(b.shape[-2:], transpose_b)
    if inner is not None and other is not None and inner != other:
        raise ShapeError(f"shapes {a.shape} and {b.shape} do not multiply: {inner} is not {other}")
    return TensorSpec(a.shape[:-2].broadcast(b.shape[:-2]) + (rows, columns), a.dtype)


def _swapped(matrix: TensorShape, transposed: bool) -> tuple[int | None, int | None]:
    rows, columns = matrix
    return (columns, rows) if transposed else (rows, columns)


def _not_matrices(a: TensorShape, b: TensorShape) -> str:
    return f"shapes {a} and {b} are not both matrices: use rt.linalg.matvec or rt.tensordot"


def _summed(product: Tensor, like: Tensor) -> Tensor:
    """Sum a gradient to the shape of an operand; two matrices never broadcast."""
    return product if product.shape.rank == like.shape.rank == 2 else sum_to_like(product, like)


def _matmul_da(
    dys: Any, outputs: Any, inputs: Any, *, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    (a, b), dy = inputs, dys[0]
    if transpose_a:
        return _summed(matmul(b, dy, transpose_a=transpose_b, transpose_b=True), a)
    return _summed(matmul(dy, b, transpose_b=not transpose_b), a)


def _matmul_db(
    dys: Any, outputs: Any, inputs: Any, *, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    (a, b), dy = inputs, dys[0]
    if transpose_b:
        return _summed(matmul(dy, a, transpose_a=True, transpose_b=transpose_a), b)
    return _summed(matmul(a, dy, transpose_a=not transpose_a), b)


def _transpose_kernel(a: Array, *, perm: tuple[int, ...] | None) -> Array:
    return np.transpose(a, perm)


def _transpose_infer(a: TensorSpec, *, perm: tuple[int, ...] | None) -> TensorSpec:
    if a.shape.dims is None:
        return TensorSpec(infer.rank_only(None if perm is None else len(perm)), a.dtype)
    order = tuple(range(len(a.shape)))[::-1] if perm is None else perm
    if sorted(infer.axis_of(axis, len(a.shape)) for axis in order) != list(range(len(a.shape))):
        raise ShapeError(f"perm {list(order)} does not name each axis of {a.shape} once")
    return TensorSpec(TensorShape.of(tuple(a.shape.dims[axis] for axis in order)), a.dtype)


def _transpose_grad(dys: Any, outputs: Any, inputs: Any, *, perm: Any) -> tuple[Tensor]:
    back = None if perm is None else tuple(np.argsort([a % len(perm) for a in perm]).tolist())
    return (transpose(dys[0], back),)


def _matrix_transpose_infer(a: TensorSpec) -> TensorSpec:
    infer.check_rank_at_least(a, 2)
    if a.shape.rank is None:
        return a.unnamed()
    return TensorSpec(a.shape[:-2] + a.shape[-2:].as_list()[::-1], a.dtype)


def square_matrices(a: TensorSpec, dropped: int = 0) -> TensorShape:
    """Return the shape without the last `dropped` axes; ShapeError unless the last two are equal.

    >>> square_matrices(TensorSpec((5, 2, 2)), 2)
    TensorShape([5])
    """
    infer.check_rank_at_least(a, 2)
    if a.shape.rank is None:
        return UNKNOWN
    rows, columns = a.shape[-2:]
    if rows is not None and columns is not None and rows != columns:
        raise ShapeError(f"needs square matrices, got shape {a.shape}")
    return a.shape[: len(a.shape) - dropped]


def _solve_infer(matrix: TensorSpec, rhs: TensorSpec) -> TensorSpec:
    infer.check_same_dtype(matrix, rhs)
    square_matrices(infer.of_lapack(matrix))
    infer.check_rank_at_least(rhs, 2)
    if not matrix.shape.rank or not rhs.shape.rank:
        return rhs.unnamed()
    if not matrix.shape[:-1].is_compatible_with(rhs.shape[:-1]):
        raise ShapeError(f"matrices of shape {matrix.shape} do not fit columns of {rhs.shape}")
    return TensorSpec(matrix.shape[:-1].merge(rhs.shape[:-1]) + rhs.shape[-1:], rhs.dtype)


def _eye_kernel(*dims: Array, shape: Dims, dtype: DType) -> Array:
    full = final_shape(shape, dims)
    if len(full) < 2:
        raise ShapeError(f"a matrix must have at least 2 dimensions, not the shape {list(full)}")
    matrix = np.zeros(full, dtype.np_dtype)
    size = min(full[-2:])
    matrix[..., range(size), range(size)] = 1
    return matrix


def _eye_infer(*dims: TensorSpec, shape: Dims, dtype: DType) -> TensorSpec:
    target = TensorSpec(infer.target_shape(dims[0] if dims else None, shape), dtype)
    if target.dtype.kind not in "iufcb":
        raise DTypeError(f"makes matrices of numbers, not of {target.dtype.name}")
    infer.check_rank_at_least(target, 2)
    return target


MATMUL = define(
    "matmul",
    _matmul_kernel,
    _matmul_infer,
    kinds="iufc",
    grad=GradientPerInput(_matmul_da, _matmul_db),
    tensorflow_name="MatMul",
)
TRANSPOSE = define(
    "transpose",
    _transpose_kernel,
    _transpose_infer,
    grad=_transpose_grad,
    tensorflow_name="Transpose",
)
MATRIX_TRANSPOSE = define(
    "matrix_transpose",
    lambda a: np.swapaxes(a, -1, -2),
    _matrix_transpose_infer,
    grad=lambda dys, outputs, inputs: (matrix_transpose(dys[0]),),
)
EYE = define("eye", _eye_kernel, _eye_infer)
INV = define(
    "matrix_inverse",
    np.linalg.inv,
    lambda a: TensorSpec(square_matrices(infer.of_lapack(a)), a.dtype),
    kinds="fc",
    grad=backward.INVERSE,
    tensorflow_name="MatrixInverse",
)
DET = define(
    "matrix_determinant",
    np.linalg.det,
    lambda a: TensorSpec(square_matrices(infer.of_lapack(a), 2), a.dtype),
    kinds="fc",
    grad=backward.DETERMINANT,
    tensorflow_name="MatrixDeterminant",
)
CHOLESKY = define(
    "cholesky",
    np.linalg.cholesky,
    lambda a: TensorSpec(square_matrices(infer.of_lapack(a)), a.dtype),
    kinds="fc",
    grad=backward.CHOLESKY,
    tensorflow_name="Cholesky",
)
SOLVE = define(
    "matrix_solve",
    np.linalg.solve,
    _solve_infer,
    kinds="fc",
    grad=backward.SOLUTION,
    tensorflow_name="MatrixSolve",
)


def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: DTypeLike | None = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the matrix product over the last two axes; leading axes broadcast.

    Args:
        transpose_a, transpose_b: exchange the last two axes of an operand first.
        adjoint_a, adjoint_b: exchange the axes, and take the conjugates.
        output_type: the dtype of the computation; by default that of the operands.
        a_is_sparse, b_is_sparse, grad_a, grad_b: no effect here.

    Raises:
        ShapeError: an operand is no matrix, or inner dimensions differ; the error has both shapes.

    >>> print(matmul([[1, 2], [3, 4]], [[1], [1]]))
    rt.Tensor(
    [[3]
     [7]], shape=(2, 1), dtype=int32)
    """
    if output_type is not None:
        dtype = as_dtype(output_type)
        a, b = (strong_cast(to_tensor(each), dtype) for each in (a, b))
    if transpose_a is transpose_b is adjoint_a is adjoint_b is False:
        return compared(MATMUL, a, b)
    (x, y), _ = matched((a, b), "matmul")
    first, x = _as_transposed(x, transpose_a, adjoint_a, "a")
    second, y = _as_transposed(y, transpose_b, adjoint_b, "b")
    result: Tensor = apply(MATMUL, (x, y), transpose_a=first, transpose_b=second)
    return result


def _as_transposed(x: Tensor, transpose: Any, adjoint: Any, which: str) -> tuple[bool, Tensor]:
    """Return whether an operand is transposed, and the operand, conjugated if necessary."""
    turned, conjugates = (
        flag(each, f"{word}_{which}")
        for each, word in ((transpose, "transpose"), (adjoint, "adjoint"))
    )
    if turned and conjugates:
        raise ArgumentValueError(f"only one of transpose_{which} and adjoint_{which} can be True")
    return turned or conjugates, conjugated(x) if conjugates else x


def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the product of matrices and vectors; see `matmul`.

    >>> print(matvec([[1, 2], [3, 4]], [1, 1]))
    rt.Tensor([3 7], shape=(2,), dtype=int32)
    """
    (matrix, vector), _ = matched((a, b), "matvec")
    column = matmul(matrix, expand_dims(vector, -1), transpose_a, adjoint_a=adjoint_a)
    return squeeze(column, -1)


def array_product(a: Any, b: Any) -> Tensor:
    """Return `a @ b` as NumPy does: a vector is a row on the left and a column on the right.

    >>> print(array_product([1, 2], [3, 4]))
    rt.Tensor(11, shape=(), dtype=int32)
    """
    (x, y), _ = matched((a, b), "matmul")
    of_left, of_right = x.shape.rank == 1, y.shape.rank == 1
    if not of_left and not of_right:
        return compared(MATMUL, x, y)
    rows, columns = expand_dims(x, 0) if of_left else x, expand_dims(y, -1) if of_right else y
    product = compared(MATMUL, rows, columns)
    product = squeeze(product, -1) if of_right else product
    return squeeze(product, -1 if of_right else -2) if of_left else product


def transpose(
    a: TensorLike, perm: TensorLike | None = None, conjugate: bool = False, name: str | None = None
) -> Tensor:
    """Return `a` with its axes in the order `perm`, reversed by default.

    Args:
        conjugate: whether to take the conjugates of complex numbers.

    >>> transpose([[1, 2, 3]]).shape
    TensorShape([3, 1])
    """
    check_list("transpose", a, perm, conjugate, name)
    if perm is not None and is_run_time_value(perm):
        result = transpose_at_run_time(to_tensor(a), perm)
    else:
        result = apply(TRANSPOSE, (to_tensor(a),), perm=static_axes(perm))
    return conjugated(result) if flag(conjugate, "conjugate") else result


def matrix_transpose(a: TensorLike, name: str | None = None, conjugate: bool = False) -> Tensor:
    """Return `a` with its last two axes exchanged, and conjugated if wanted.

    >>> matrix_transpose([[[1, 2, 3]]]).shape
    TensorShape([1, 3, 1])
    """
    result: Tensor = apply(MATRIX_TRANSPOSE, (to_tensor(a),))
    return conjugated(result) if flag(conjugate, "conjugate") else result


def transposed(matrix: Tensor) -> Tensor:
    """Return the transpose of a matrix, `x.T`; ShapeError unless the rank is 2."""
    if matrix.shape.rank not in (None, 2):
        name = name_of(matrix, name="T") or "x"
        raise ShapeError(
            f"x.T is for matrices, and {name} has shape {matrix.shape}: write rt.transpose({name})"
        )
    return transpose(matrix)


def eye(
    num_rows: TensorLike,
    num_columns: TensorLike | None = None,
    batch_shape: ShapeLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return a matrix with ones on its diagonal, or a batch of them; float32 by default.

    >>> print(eye(2))
    rt.Tensor(
    [[1. 0.]
     [0. 1.]], shape=(2, 2), dtype=float32)
    """
    columns = num_rows if num_columns is None else num_columns
    batch = [] if batch_shape is None else listed(batch_shape, "batch_shape")
    shape, dims = dims_argument([*batch, num_rows, columns])
    result: Tensor = apply(EYE, dims, shape=shape, dtype=as_dtype(dtype))
    return result


def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Return the inverses of square matrices, float or complex; InvalidArgumentError without one.

    Args:
        adjoint: return the inverse of the conjugate transpose instead.

    >>> print(inv([[2.0, 0.0], [0.0, 4.0]]))
    rt.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    result: Tensor = apply(INV, (to_tensor(input),))
    return matrix_transpose(result, conjugate=True) if flag(adjoint, "adjoint") else result


def det(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the determinants of square matrices, float or complex.

    >>> det([[2.0, 0.0], [0.0, 4.0]])
    <rt.Tensor: shape=(), dtype=float32, numpy=8.0>
    """
    result: Tensor = apply(DET, (to_tensor(input),))
    return result


def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the lower triangular L with L @ adjoint(L) == input; InvalidArgumentError without one.

    >>> print(cholesky([[4.0, 0.0], [0.0, 9.0]]))
    rt.Tensor(
    [[2. 0.]
     [0. 3.]], shape=(2, 2), dtype=float32)
    """
    result: Tensor = apply(CHOLESKY, (to_tensor(input),))
    return result


def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """Return x with matrix @ x == rhs, for columns; InvalidArgumentError for singular matrices.

    Args:
        adjoint: solve with the conjugate transposes of the matrices instead.

    >>> print(solve([[2.0, 0.0], [0.0, 4.0]], [[1.0], [1.0]]))
    rt.Tensor(
    [[0.5 ]
     [0.25]], shape=(2, 1), dtype=float32)
    """
    (x, columns), _ = matched((matrix, rhs), "solve")
    result: Tensor = apply(
        SOLVE,
        (matrix_transpose(x, conjugate=True) if flag(adjoint, "adjoint") else x, columns),
    )
    return result


def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Return the matrices with their last two axes exchanged, and conjugated.

    >>> print(adjoint([[1, 2]]))
    rt.Tensor(
    [[1]
     [2]], shape=(2, 1), dtype=int32)
    """
    return conj(matrix_transpose(matrix))


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the sums of the diagonals of matrices.

    >>> trace([[1, 2], [3, 4]])
    <rt.Tensor: shape=(), dtype=int32, numpy=5>
    """
    return reduce_sum(diag_part(x), -1)


def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Return the cross products of vectors along the last axes, which have 3 elements.

    >>> print(cross([1, 0, 0], [0, 1, 0]))
    rt.Tensor([0 0 1], shape=(3,), dtype=int32)
    """
    (x, y), _ = matched((a, b), "cross")
    for each in (x, y):
        if each.shape.rank == 0 or (each.shape.rank and each.shape[-1] not in (None, 3)):
            raise ShapeError(f"cross takes vectors of 3 elements, not shape {each.shape}")
    (a0, a1, a2), (b0, b1, b2) = (unstack(each, 3, -1) for each in (x, y))
    return stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1)
