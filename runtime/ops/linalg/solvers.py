"""Triangular solves and least squares."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag, number
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.ops import infer
from runtime.ops.arrays.creation import ones_like
from runtime.ops.convert import matched
from runtime.ops.elementwise.complex_numbers import conj
from runtime.ops.linalg.diagonals import band_part, diag, diag_part
from runtime.ops.linalg.matrices import adjoint, cholesky, matmul, matrix_transpose, solve


def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x with matrix @ x == rhs, for the lower or upper triangles of the matrices.

    Args:
        adjoint: whether to use the adjoint matrices instead.

    Raises:
        InvalidArgumentError: there is a 0 on a diagonal.

    >>> print(triangular_solve([[2.0, 9.0], [0.0, 4.0]], [[1.0], [1.0]]))
    rt.Tensor(
    [[0.5 ]
     [0.25]], shape=(2, 1), dtype=float32)
    """
    (x, y), _ = matched((matrix, rhs), "triangular_solve")
    triangle = band_part(x, -1, 0) if flag(lower, "lower") else band_part(x, 0, -1)
    return solve(conj(matrix_transpose(triangle)) if flag(adjoint, "adjoint") else triangle, y)


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """Return x with chol @ adjoint(chol) @ x == rhs.

    >>> print(cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[4.0], [3.0]]))
    rt.Tensor(
    [[1.]
     [3.]], shape=(2, 1), dtype=float32)
    """
    below = triangular_solve(chol, rhs)
    return triangular_solve(chol, below, adjoint=True)


def lstsq(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: float = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return the least squares solutions: each x minimizes the squares of matrix @ x - rhs.

    Args:
        l2_regularizer: the weight of the squares of x in that sum.
        fast: no effect here: the normal equations are solved in both cases. For wide matrices x is
            the shortest solution.

    Raises:
        ShapeError: the last two dimensions of `matrix` are not known.

    >>> print(lstsq([[1.0], [1.0]], [[1.0], [3.0]]))
    rt.Tensor([[2.]], shape=(1, 1), dtype=float32)
    """
    (a, b), _ = matched((matrix, rhs), "lstsq")
    infer.check_rank_at_least(a.spec, 2)
    weight = number(l2_regularizer, "l2_regularizer")
    rows, columns = a.shape[-2:] if a.shape.rank is not None else (None, None)
    if rows is None or columns is None:
        raise ShapeError(
            f"lstsq needs known last two dimensions, not shape {a.shape}: write rt.ensure_shape"
        )
    if rows >= columns:
        return _normal(matmul(adjoint(a), a), weight, matmul(adjoint(a), b))
    return matmul(adjoint(a), _normal(matmul(a, adjoint(a)), weight, b))


def _normal(gramian: Any, weight: float, rhs: Any) -> Tensor:
    shifted = gramian + diag(ones_like(diag_part(gramian))) * weight if weight else gramian
    return cholesky_solve(cholesky(shifted), rhs)
