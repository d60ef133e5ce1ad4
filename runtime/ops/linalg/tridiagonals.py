"""Tridiagonal matrices: products, solutions and eigenvalues."""

from __future__ import annotations

from typing import Any, Literal, overload

from runtime.core.argument_checks import choice, flag, listed
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError, UnimplementedError
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat, unstack
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.shape import expand_dims, squeeze
from runtime.ops.convert import matched, strong_cast, to_tensor
from runtime.ops.elementwise.complex_numbers import conj
from runtime.ops.linalg.diagonals import diag, diag_part
from runtime.ops.linalg.factorizations import eigh, eigvalsh
from runtime.ops.linalg.matrices import matrix_transpose, solve

_FORMATS = ("compact", "sequence", "matrix")


def tridiagonal_matmul(
    diagonals: TensorLike,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    name: str | None = None,
) -> Tensor:
    """Return the products of tridiagonal matrices with other matrices.

    Args:
        diagonals: of shape (..., 3, n): above the diagonal (the last is not used), the diagonal,
            below it (the first is not used); a list of the three as "sequence", or whole
            matrices as "matrix".
        rhs: of shape (..., n, columns).

    Raises:
        ShapeError: the shapes do not match.

    >>> print(tridiagonal_matmul([[1.0, 0.0], [4.0, 4.0], [0.0, 1.0]], [[1.0], [2.0]]))
    rt.Tensor(
    [[6.]
     [9.]], shape=(2, 1), dtype=float32)
    """
    parts = _parts(diagonals, diagonals_format)
    (above, middle, below, x), _ = matched((*parts, rhs), "tridiagonal_matmul")
    if x.shape.rank is not None and x.shape.rank < 2:
        raise ShapeError(
            f"tridiagonal_matmul: rhs must have a rank of 2 or more, not shape {x.shape}"
        )
    nothing = zeros_like(x[..., :1, :])
    following = concat([x[..., 1:, :], nothing], -2)
    leading = concat([nothing, x[..., :-1, :]], -2)
    pairs = ((above, following), (middle, x), (below, leading))
    first, second, third = (expand_dims(part, -1) * rows for part, rows in pairs)
    return first + second + third


def tridiagonal_solve(
    diagonals: TensorLike,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """Return x with matrix @ x == rhs for tridiagonal matrices.

    Args:
        diagonals, diagonals_format: as in `tridiagonal_matmul`.
        rhs: vectors of shape (..., n), or matrices of shape (..., n, columns).
        transpose_rhs: rhs has shape (..., columns, n).
        conjugate_rhs: take the conjugates of complex numbers.
        partial_pivoting, perturb_singular: no effect here: pivoting is always partial, and a
            singular matrix is an error.

    Raises:
        InvalidArgumentError: a matrix is singular.
        ShapeError: the ranks are not known, or the shapes do not match.

    >>> print(tridiagonal_solve([[1.0, 0.0], [4.0, 4.0], [0.0, 1.0]], [6.0, 9.0]))
    rt.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    parts = _parts(diagonals, diagonals_format)
    (above, middle, below, x), _ = matched((*parts, rhs), "tridiagonal_solve")
    if middle.shape.rank is None or x.shape.rank is None:
        raise ShapeError("tridiagonal_solve needs known ranks: write rt.ensure_shape")
    matrix = diag(middle) + diag(above[..., :-1], k=1) + diag(below[..., 1:], k=-1)
    if flag(conjugate_rhs, "conjugate_rhs"):
        x = conj(x)
    if x.shape.rank == middle.shape.rank:
        return squeeze(solve(matrix, expand_dims(x, -1)), -1)
    return solve(matrix, matrix_transpose(x) if flag(transpose_rhs, "transpose_rhs") else x)


@overload
def eigh_tridiagonal(
    alpha: TensorLike,
    beta: TensorLike,
    eigvals_only: Literal[True] = True,
    select: str = "a",
    select_range: TensorLike | None = None,
    tol: TensorLike | None = None,
    name: str | None = None,
) -> Tensor: ...
@overload
def eigh_tridiagonal(
    alpha: TensorLike,
    beta: TensorLike,
    eigvals_only: Literal[False],
    select: str = "a",
    select_range: TensorLike | None = None,
    tol: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]: ...
def eigh_tridiagonal(
    alpha: TensorLike,
    beta: TensorLike,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: TensorLike | None = None,
    tol: TensorLike | None = None,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the eigenvalues of Hermitian tridiagonal matrices, ascending.

    Args:
        alpha: the diagonal, of shape (..., n).
        beta: the elements below it, of shape (..., n - 1); their conjugates are above it.
        eigvals_only: if false, return the eigenvectors too, as columns.
        select: "a" for all, "i" for those with indices from `select_range[0]` to
            `select_range[1]`; "v", by values, is an UnimplementedError.
        tol: no effect here: the results have the precision of the dtype.

    >>> print(eigh_tridiagonal([2.0, 2.0], [1.0]))
    rt.Tensor([1. 3.], shape=(2,), dtype=float32)
    """
    below = to_tensor(beta)
    middle = strong_cast(to_tensor(alpha), below.dtype)
    matrix = diag(middle) + diag(below, k=-1) + diag(conj(below), k=1)
    chosen = _chosen(select, select_range)
    if flag(eigvals_only, "eigvals_only"):
        return eigvalsh(matrix)[..., chosen]
    values, vectors = eigh(matrix)
    return values[..., chosen], vectors[..., chosen]


def _chosen(select: str, select_range: Any) -> slice:
    if choice(select, "select", ("a", "i", "v")) == "a":
        return slice(None)
    if select == "v":
        raise UnimplementedError(
            "select='v' is not supported: take all eigenvalues, then rt.boolean_mask"
        )
    first, last = (
        static_int(each, "select_range") for each in listed(select_range, "select_range")
    )
    return slice(first, last + 1)


def _parts(diagonals: Any, form: str) -> tuple[Any, Any, Any]:
    """Return the elements above the diagonal, on it and below it, each of the same length."""
    if choice(form, "diagonals_format", _FORMATS) == "sequence":
        above, middle, below = (to_tensor(each) for each in listed(diagonals, "diagonals"))
        return above, middle, below
    whole = to_tensor(diagonals)
    if form == "compact":
        if whole.shape.rank is not None and (
            whole.shape.rank < 2 or whole.shape[-2] not in (None, 3)
        ):
            raise ShapeError(f"compact diagonals must have shape (..., 3, n), not {whole.shape}")
        above, middle, below = unstack(whole, 3, axis=-2)
        return above, middle, below
    above, below = diag_part(whole, k=1), diag_part(whole, k=-1)
    nothing = zeros_like(diag_part(whole)[..., :1])
    return concat([above, nothing], -1), diag_part(whole), concat([nothing, below], -1)
