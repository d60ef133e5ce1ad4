"""Functions of whole matrices: exponentials, roots, pseudo-inverses, logarithms of determinants."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.ops import infer
from runtime.ops.arguments import known_array
from runtime.ops.arrays.reduction import count_nonzero, reduce_max, reduce_sum
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import greater
from runtime.ops.elementwise.complex_numbers import real
from runtime.ops.elementwise.unary import log
from runtime.ops.grad import matrices as backward
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.factorizations import check_wide, svd, wide
from runtime.ops.linalg.matrices import cholesky, square_matrices
from runtime.ops.op import apply, define


class LogMatrixDeterminant(NamedTuple):
    """The sign of a determinant, and the logarithm of its magnitude."""

    sign: Tensor
    log_abs_determinant: Tensor


# Coefficients of the numerator of the [13/13] approximant of exp, from the constant up, and the
# norm up to which it is exact: N. Higham, "The scaling and squaring method for the matrix
# exponential revisited" (2005). Each is (26 - k)! 13! / (26! k! (13 - k)!) of the first.
PADE = [64764752532480000.0]
for _k in range(13):
    PADE.append(PADE[-1] * (13 - _k) / ((26 - _k) * (_k + 1)))
LARGEST_NORM = 5.371920351148152


def _exponential_kernel(a: Array) -> Array:
    square_matrices(TensorSpec.of_array(a))
    x = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    norms = np.abs(x).sum(-2).max(-1, initial=0.0)
    usable = np.where(np.isfinite(norms) & (norms > 0), norms, 1.0)
    halvings = np.maximum(0, np.ceil(np.log2(usable / LARGEST_NORM))).astype(int)
    scaled = x / (2.0**halvings)[..., None, None]
    square = scaled @ scaled
    even = np.zeros_like(scaled)
    odd = np.zeros_like(scaled)
    one = np.eye(a.shape[-1])
    for k in (12, 10, 8, 6, 4, 2, 0):
        even = even @ square + PADE[k] * one
        odd = odd @ square + PADE[k + 1] * one
    odd = scaled @ odd
    result = np.linalg.solve(even - odd, even + odd)
    for iteration in range(int(halvings.max(initial=0))):
        result = np.where((halvings > iteration)[..., None, None], result @ result, result)
    return np.asarray(result.astype(a.dtype))


def _square_root_kernel(a: Array) -> Array:
    square_matrices(TensorSpec.of_array(a))
    flat = a.reshape(-1, *a.shape[-2:])
    roots = [_square_root(each) for each in flat]
    return np.stack(roots).reshape(a.shape) if roots else a.copy()


def _square_root(a: Array) -> Array:
    """Return the principal root, by the root of a triangular matrix that is similar.

    The root of a triangular matrix is computed column by column (A. Bjorck and S. Hammarling, "A
    Schur method for the square root of a matrix", 1983). Orthonormalized eigenvectors transform the
    matrix into that one.
    """
    x = a.astype(np.complex128)
    if not np.all(np.isfinite(x)):
        return np.full_like(a, np.nan)
    q, _ = np.linalg.qr(np.linalg.eig(x)[1])
    triangle = np.conj(q.T) @ x @ q
    root = q @ _root_of_triangle(np.triu(triangle)) @ np.conj(q.T)
    if a.dtype.kind == "c":
        return root.astype(a.dtype)
    is_real = np.abs(root.imag).max(initial=0.0) <= 1e-6 * (1 + np.abs(root).max(initial=0.0))
    return root.real.astype(a.dtype) if is_real else np.full_like(a, np.nan)


def _root_of_triangle(t: Array) -> Array:
    root = np.zeros_like(t)
    for column in range(len(t)):
        root[column, column] = np.sqrt(t[column, column])
        for row in range(column - 1, -1, -1):
            between = slice(row + 1, column)
            rest = t[row, column] - root[row, between] @ root[between, column]
            root[row, column] = rest / (root[row, row] + root[column, column]) if rest else 0
    return root


def _square_infer(a: TensorSpec) -> TensorSpec:
    check_wide(a)
    return TensorSpec(square_matrices(a), a.dtype)


def _slogdet_kernel(a: Array) -> tuple[Array, Array]:
    sign, size = np.linalg.slogdet(a)
    return np.asarray(sign, a.dtype), np.asarray(size, a.real.dtype)


def _slogdet_infer(a: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    check_wide(a)
    shape = square_matrices(a, 2)
    return TensorSpec(shape, a.dtype), TensorSpec(shape, a.dtype.real_dtype)


def _pinv_kernel(a: Array, *, rcond: float | None) -> Array:
    least = rcond
    if least is None:
        least = 10 * max(a.shape[-2:]) * float(np.finfo(a.dtype).eps)
    return np.asarray(np.linalg.pinv(a, least)).astype(a.dtype, copy=False)


def _pinv_infer(a: TensorSpec, *, rcond: float | None) -> TensorSpec:
    check_wide(a)
    infer.check_rank_at_least(a, 2)
    if a.shape.rank is None:
        return a.unnamed()
    return TensorSpec(a.shape[:-2] + a.shape[-2:].as_list()[::-1], a.dtype)


EXPM = define(
    "matrix_exponential",
    wide(_exponential_kernel),
    _square_infer,
    kinds="fc",
    grad=backward.exponential,
)
SQRTM = define(
    "matrix_square_root",
    wide(_square_root_kernel),
    _square_infer,
    kinds="fc",
    grad=backward.square_root,
    tensorflow_name="MatrixSquareRoot",
)
SLOGDET = define(
    "log_matrix_determinant",
    wide(_slogdet_kernel),
    _slogdet_infer,
    kinds="fc",
    n_outputs=2,
    grad=backward.log_determinant,
    tensorflow_name="LogMatrixDeterminant",
)
PINV = define(
    "pseudo_inverse", wide(_pinv_kernel), _pinv_infer, kinds="fc", grad=backward.pseudo_inverse
)


def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the exponentials of square matrices: 1 + a + a @ a / 2 + ...

    >>> print(expm([[0.0, 1.0], [0.0, 0.0]]))
    rt.Tensor(
    [[1. 1.]
     [0. 1.]], shape=(2, 2), dtype=float32)
    """
    result: Tensor = apply(EXPM, (to_tensor(input),))
    return result


def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the principal roots r with r @ r == input; NaN if that of a real matrix is complex.

    >>> print(sqrtm([[4.0, 0.0], [0.0, 9.0]]))
    rt.Tensor(
    [[2. 0.]
     [0. 3.]], shape=(2, 2), dtype=float32)
    """
    result: Tensor = apply(SQRTM, (to_tensor(input),))
    return result


def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """Return signs and logarithms of magnitudes of determinants: det == sign * exp(log).

    >>> sign, log = slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> float(sign), float(log)
    (-1.0, 0.0)
    """
    return LogMatrixDeterminant(*apply(SLOGDET, (to_tensor(input),)))


def pinv(
    a: TensorLike,
    rcond: TensorLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the pseudo-inverses of matrices (Moore and Penrose).

    Args:
        a: float or complex, of shape (..., m, n).
        rcond: singular values up to this fraction of the largest one count as 0; by default 10
            times the larger side times the epsilon of the dtype.

    Returns:
        A tensor of shape (..., n, m).

    Raises:
        ArgumentValueError: `rcond` is not one number.

    >>> print(pinv([[2.0, 0.0], [0.0, 0.0], [0.0, 4.0]]))
    rt.Tensor(
    [[0.5  0.   0.  ]
     [0.   0.   0.25]], shape=(2, 3), dtype=float32)
    """
    known = None if rcond is None else known_array(rcond, "rcond")
    if known is not None and (known.ndim or known.dtype.kind not in "iuf"):
        raise ArgumentValueError(f"rcond must be one number, not {rcond!r}")
    least = None if known is None else float(known)
    result: Tensor = apply(PINV, (to_tensor(a),), rcond=least)
    return result


def matrix_rank(
    a: TensorLike,
    tol: TensorLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the number of singular values of matrices that are larger than `tol`, as int32.

    Args:
        tol: by default the larger side, times the epsilon of the dtype, times the largest singular
            value.

    >>> matrix_rank([[1.0, 2.0], [2.0, 4.0]])
    <rt.Tensor: shape=(), dtype=int32, numpy=1>
    """
    matrices = to_tensor(a)
    values = svd(matrices, compute_uv=False)
    if tol is None:
        step = float(np.finfo(values.dtype.np_dtype).eps)
        side: Any = cast(reduce_max(shape(matrices)[-2:]), values.dtype)
        tol = reduce_max(values, -1, keepdims=True) * (side * step)
    return count_nonzero(greater(values, tol), axis=-1, dtype=int32)


def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Return the logarithms of the determinants of positive definite matrices.

    >>> logdet([[1.0, 0.0], [0.0, 1.0]])
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    result: Tensor = reduce_sum(log(real(diag_part(cholesky(matrix)))), -1) * 2.0
    return result
