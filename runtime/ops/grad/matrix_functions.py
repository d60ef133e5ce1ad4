"""Gradients of functions of whole matrices.

That of the exponential is a corner of the exponential of a matrix twice as large (I. Najfeld and T.
Havel, "Derivatives of the matrix exponential and their computation", 1995); that of a square root
solves Sylvester's equation (N. Higham, "Functions of Matrices", 2008); that of a pseudo-inverse is
by G. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares
problems whose variables separate" (1973).
"""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.ops.grad.factorizations import adjoint, as_like, product, size_of
from runtime.ops.gradient_rules import call, conjugate, filled


def exponential(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """The upper right of exp([[a^H, dy], [0, a^H]])."""
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
    """The sign of real determinants is flat; that of complex ones turns."""
    (sign, _), (d_sign, d_log) = outputs, filled(dys, outputs)
    scale = as_like(d_log, sign)
    if sign.dtype.is_complex:
        scale = call("complex", d_log, call("imag", d_sign * conjugate(sign)))
    return (scale[..., None, None] * adjoint(call("matrix_inverse", inputs[0])),)


def pseudo_inverse(dys: Any, outputs: Any, inputs: Any, *, rcond: float | None) -> tuple[Any]:
    """The inverse part, and what is outside of the rows and the columns."""
    a, p, dy = inputs[0], outputs[0], dys[0]
    back, turned = adjoint(p), adjoint(dy)
    slope = -product(back, dy, back)
    outside = product(turned, p, back)
    slope = slope + outside - product(a, p, outside)
    inside = product(back, p, turned)
    return (slope + inside - product(inside, p, a),)
