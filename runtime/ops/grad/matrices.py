"""Gradients of inverses, diagonals, matrix functions and factorizations."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops import infer
from runtime.ops.grad.factorizations import adjoint, as_like, product, size_of
from runtime.ops.gradient_rules import call, conjugate, filled, holomorphic, sum_to_like
from runtime.ops.op import apply, define


def _product(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    return call("matmul", a, b, transpose_a=transpose_a, transpose_b=transpose_b)


def _transposed(x: Any) -> Any:
    return call("matrix_transpose", x)


def _inverse(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    y = outputs[0]
    return (-_product(_product(y, dys[0], transpose_a=True), y, transpose_b=True),)


def _determinant(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    gradient = _transposed(call("matrix_inverse", inputs[0]))
    return ((dys[0] * outputs[0])[..., None, None] * gradient,)


def _solution(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, Any]:
    (matrix, rhs), x = inputs, outputs[0]
    back = call("matrix_solve", _transposed(matrix), dys[0])
    if rhs.shape.rank == 1:
        gradient = -back[..., :, None] * x[..., None, :]
    else:
        gradient = -_product(back, x, transpose_b=True)
    return sum_to_like(gradient, matrix), sum_to_like(back, rhs)


def _cholesky(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Spread the gradient evenly over both halves of the symmetric matrix."""
    factor = outputs[0]
    inner = _product(factor, dys[0], transpose_a=True)
    lower = call("band_part", inner, num_lower=-1, num_upper=0)
    halved = lower - call("diag", call("diag_part", inner)) * 0.5
    inverse = call("matrix_inverse", factor)
    gradient = _product(_product(inverse, halved, transpose_a=True), inverse)
    # The formula for hermitian matrices; the wrapper conjugates the result.
    other = _transposed(gradient)
    other = call("conj", other) if other.dtype.is_complex else other
    return ((gradient + other) * 0.5,)


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
    """Return the diagonal of the gradient."""
    return (call("diag_part", dys[0]),)


def diag_part(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Write the gradient on the diagonal of a matrix, which need not be square."""
    return (apply(ON_DIAGONAL, (dys[0], inputs[0])),)


def band_part(dys: Any, outputs: Any, inputs: Any, **attrs: int) -> tuple[Any]:
    """Set the elements of the gradient outside of the band to 0."""
    return (call("band_part", dys[0], **attrs),)


# -- gradients of functions of whole matrices ------------------------------------------------------


def exponential(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient of exp(a): the upper right block of exp([[a^H, dy], [0, a^H]])."""
    turned, dy = adjoint(inputs[0]), dys[0]
    above = call("concat", turned, dy, axis=-1)
    below = call("concat", call("zeros_like", dy, dtype=dy.dtype), turned, axis=-1)
    size = size_of(turned)
    whole = call("matrix_exponential", call("concat", above, below, axis=-2))
    return (whole[..., :size, size:],)


def square_root(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Solve y^H g + g y^H == dy, with the elements of g in one column."""
    turned, dy = adjoint(outputs[0]), dys[0]
    one = call("diag", call("ones_like", call("diag_part", turned), dtype=turned.dtype))
    left = call("einsum", turned, one, equation="...ij,...kl->...ikjl")
    right = call("einsum", one, turned, equation="...ij,...lk->...ikjl")
    shape = call("shape", dy, out_type=int32)
    batch, size = shape[:-2], shape[-1:]
    count = size * size
    both = _reshaped(left + right, batch, count, count)
    column = _reshaped(dy, batch, count, call("ones_like", count, dtype=count.dtype))
    found = call("matrix_solve", both, column)
    if dy.shape.is_fully_defined():
        return (call("reshape", found, shape=dy.shape.dims),)
    return (_reshaped(found, batch, size, size),)


def _reshaped(x: Any, *dims: Any) -> Any:
    return call("reshape", x, call("concat", *dims, axis=0), shape=None)


def log_determinant(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient of `slogdet`: a real sign has none, a complex one rotates."""
    (sign, _), (d_sign, d_log) = outputs, filled(dys, outputs)
    scale = as_like(d_log, sign)
    if sign.dtype.is_complex:
        scale = call("complex", d_log, call("imag", d_sign * conjugate(sign)))
    return (scale[..., None, None] * adjoint(call("matrix_inverse", inputs[0])),)


def pseudo_inverse(dys: Any, outputs: Any, inputs: Any, *, rcond: float | None) -> tuple[Any]:
    """Return the gradient of the inverse, and of the parts outside of row and column space."""
    a, p, dy = inputs[0], outputs[0], dys[0]
    back, turned = adjoint(p), adjoint(dy)
    gradient = -product(back, dy, back)
    outside = product(turned, p, back)
    gradient = gradient + outside - product(a, p, outside)
    inside = product(back, p, turned)
    return (gradient + inside - product(inside, p, a),)
