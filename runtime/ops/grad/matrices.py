"""Gradients of factorisations, inverses and diagonals of matrices.

The formulas are in M. Giles, "An extended collection of matrix derivative results for forward and
reverse mode algorithmic differentiation" (2008); that of Cholesky's factor is in I. Murray,
"Differentiation of the Cholesky decomposition" (2016).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops import infer
from runtime.ops.gradient_rules import call, holomorphic, sum_to_like
from runtime.ops.op import apply, define


def _product(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    return call("matmul", a, b, transpose_a=transpose_a, transpose_b=transpose_b)


def _transposed(x: Any) -> Any:
    return call("matrix_transpose", x)


def _inverse(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    y = outputs[0]
    return (-_product(_product(y, dys[0], transpose_a=True), y, transpose_b=True),)


def _determinant(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    slope = _transposed(call("matrix_inverse", inputs[0]))
    return ((dys[0] * outputs[0])[..., None, None] * slope,)


def _solution(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, Any]:
    (matrix, rhs), x = inputs, outputs[0]
    back = call("matrix_solve", _transposed(matrix), dys[0])
    if rhs.shape.rank == 1:
        slope = -back[..., :, None] * x[..., None, :]
    else:
        slope = -_product(back, x, transpose_b=True)
    return sum_to_like(slope, matrix), sum_to_like(back, rhs)


def _cholesky(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Spread the gradient evenly over both halves of the symmetric matrix."""
    factor = outputs[0]
    inner = _product(factor, dys[0], transpose_a=True)
    lower = call("band_part", inner, num_lower=-1, num_upper=0)
    halved = lower - call("diag", call("diag_part", inner)) * 0.5
    inverse = call("matrix_inverse", factor)
    slope = _product(_product(inverse, halved, transpose_a=True), inverse)
    # Of a hermitian matrix; the wrapper takes the conjugate of the whole.
    other = _transposed(slope)
    other = call("conj", other) if other.dtype.is_complex else other
    return ((slope + other) * 0.5,)


def _on_diagonal_kernel(diagonal: Array, like: Array) -> Array:
    size = min(like.shape[-2:])
    matrix = np.zeros(like.shape, diagonal.dtype)
    matrix[..., range(size), range(size)] = diagonal
    return matrix


def _on_diagonal_infer(diagonal: TensorSpec, like: TensorSpec) -> TensorSpec:
    infer.check_rank_at_least(like, 2)
    return TensorSpec(like.shape, diagonal.dtype)


ON_DIAGONAL = define(
    "on_diagonal",
    _on_diagonal_kernel,
    _on_diagonal_infer,
    grad=lambda dys, outputs, inputs: (call("diag_part", dys[0]), None),
)

INVERSE = holomorphic(_inverse)
DETERMINANT = holomorphic(_determinant)
SOLUTION = holomorphic(_solution)
CHOLESKY = holomorphic(_cholesky)


def diag(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Take the diagonal of the gradient."""
    return (call("diag_part", dys[0]),)


def diag_part(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Put the gradient on a diagonal, in a matrix that need not be square."""
    return (apply(ON_DIAGONAL, (dys[0], inputs[0])),)


def band_part(dys: Any, outputs: Any, inputs: Any, **attrs: int) -> tuple[Any]:
    """Cut the same corners off the gradient."""
    return (call("band_part", dys[0], **attrs),)
