"""Gradients of factorizations of matrices: QR, singular values, eigenvalues, LU.

The formulas: of singular values and symmetric eigenvalues M. Giles, "An extended collection of
matrix derivative results for forward and reverse mode algorithmic differentiation" (2008), with
the phases of complex ones as Z. Wan and S. Zhang, "Automatic differentiation for complex valued
SVD" (2019); of eigenvectors of any matrix C. Boeddeker et al., "On the computation of complex-
valued gradients" (2017); of QR S. Walter et al., "On evaluating higher-order derivatives of the
QR decomposition" (2012), and of wide matrices D. and L. Roberts, "QR and LQ decomposition matrix
backpropagation algorithms" (2020); of LU F. de Hoog et al., "Differentiation of matrix
functionals using triangular factorization" (2011).
"""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.errors import UnimplementedError
from runtime.ops.gradient_rules import call, conjugate, filled


def adjoint(x: Any) -> Any:
    """Return the conjugate transposes of matrices."""
    return conjugate(call("matrix_transpose", x))


def product(a: Any, b: Any, *more: Any) -> Any:
    """Return the product of matrices, from left to right."""
    result = call("matmul", a, b)
    for each in more:
        result = call("matmul", result, each)
    return result


def size_of(x: Any, axis: int = -1) -> Any:
    """Return the size of an axis: an int if it is known."""
    known = x.shape[axis] if x.shape.rank is not None else None
    return call("shape", x, out_type=int32)[axis] if known is None else known


def as_like(x: Any, like: Any) -> Any:
    """Return a tensor in the dtype of another one, of which it may be the real part."""
    return x if x.dtype is like.dtype else call("cast", x, dtype=like.dtype)


def lower(x: Any, diagonals: int = -1) -> Any:
    """Return the part of square matrices up to a diagonal: by default that below the main one."""
    kept = call("band_part", x, num_lower=-1, num_upper=0)
    return kept - call("diag", call("diag_part", x)) if diagonals < 0 else kept


def upper(x: Any) -> Any:
    """Return the diagonal and the part above it."""
    return call("band_part", x, num_lower=0, num_upper=-1)


def _differences(values: Any) -> Any:
    """Return 1 / (v_j - v_i) in row i and column j; 0 for equal ones."""
    gaps = values[..., None, :] - values[..., :, None]
    same = call("equal", gaps, call("zeros_like", gaps, dtype=gaps.dtype))
    ones = call("ones_like", gaps, dtype=gaps.dtype)
    safe = call("select", same, ones, gaps)
    return call("select", same, call("zeros_like", gaps, dtype=gaps.dtype), ones / safe)


def _inverses(values: Any) -> Any:
    ones = call("ones_like", values, dtype=values.dtype)
    return call("divide_no_nan", ones, values)


def qr(dys: Any, outputs: Any, inputs: Any, *, full_matrices: bool) -> tuple[Any]:
    """Return the gradient of `qr`; the columns of r beyond the square are q^H times those of a."""
    a, (q, r), (dq, dr) = inputs[0], outputs, filled(dys, outputs)
    rows, columns = a.shape[-2:] if a.shape.rank is not None else (None, None)
    if full_matrices and (rows is None or columns is None or rows > columns):
        raise UnimplementedError(
            f"qr of shape {a.shape} with full_matrices=True has no gradient: the columns of q that "
            "are beyond those of the matrix may be any; leave full_matrices out"
        )
    inner = size_of(q)
    beyond, r, d_beyond, dr = a[..., inner:], r[..., :inner], dr[..., inner:], dr[..., :inner]
    dq = dq + product(beyond, adjoint(d_beyond))
    gap = product(r, adjoint(dr)) - product(adjoint(dq), q)
    below = lower(gap)
    diagonal = call("diag_part", gap)
    if diagonal.dtype.is_complex:
        diagonal = as_like(call("real", diagonal), gap)
    mirrored = below + adjoint(below) + call("diag", diagonal)
    inside = call("matrix_solve", r, adjoint(dq + product(q, mirrored)))
    return (call("concat", adjoint(inside), product(q, d_beyond), axis=-1),)


def svd(dys: Any, outputs: Any, inputs: Any, *, full_matrices: bool) -> tuple[Any]:
    """Return the gradient of an SVD; vectors rotate, by differences of squared values."""
    a, (s, u, v), (ds, du, dv) = inputs[0], outputs, filled(dys, outputs)
    rows, columns = a.shape[-2:] if a.shape.rank is not None else (None, None)
    is_square = rows is not None and rows == columns
    if full_matrices and not is_square:
        raise UnimplementedError(
            f"svd of shape {a.shape} with full_matrices=True has no gradient: the vectors that are "
            "beyond the smaller side may be any; leave full_matrices out, or give compute_uv=False"
        )
    gaps, values = as_like(_differences(s * s), a), as_like(s, a)
    in_u, in_v = product(adjoint(u), du), product(adjoint(v), dv)
    turned = gaps * (in_u - adjoint(in_u)) * values[..., None, :]
    turned = turned + values[..., :, None] * (gaps * (in_v - adjoint(in_v)))
    straight, shares = as_like(ds, a), as_like(_inverses(s), a)
    if a.dtype.is_complex:
        phases = call("imag", call("diag_part", in_u)) * _inverses(s)
        straight = call("complex", call("real", straight), phases)
    gradient = product(u, turned + call("diag", straight), adjoint(v))
    if not is_square:
        outside = (du - product(u, in_u)) * shares[..., None, :]
        gradient = gradient + product(outside, adjoint(v))
        outside = (dv - product(v, in_v)) * shares[..., None, :]
        gradient = gradient + product(u, adjoint(outside))
    return (gradient,)


def singular_values(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient of singular values: each value is u^H a v."""
    _, u, v = call("svd", inputs[0], full_matrices=False)
    return (product(u * as_like(dys[0], u)[..., None, :], adjoint(v)),)


def eigh(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient of `eigh`: the lower triangle, which alone is read, gets all of it."""
    (values, vectors), (d_values, d_vectors) = outputs, filled(dys, outputs)
    turned = as_like(_differences(values), vectors) * product(adjoint(vectors), d_vectors)
    inner = turned + call("diag", as_like(d_values, vectors))
    return (_lower_gradient(product(vectors, inner, adjoint(vectors))),)


def eigvalsh(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient of `eigvalsh`: each value is v^H a v."""
    _, vectors = call("eigh", inputs[0])
    scaled = vectors * as_like(dys[0], vectors)[..., None, :]
    return (_lower_gradient(product(scaled, adjoint(vectors))),)


def _lower_gradient(gradient: Any) -> Any:
    both = gradient + adjoint(gradient)
    diagonal = call("diag_part", both)
    half = call("diag", diagonal * 0.5)
    return call("band_part", both, num_lower=-1, num_upper=0) - half


def eig(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient of `eig`; vectors have length 1, and a loss must ignore their phase."""
    (values, vectors), (d_values, d_vectors) = outputs, filled(dys, outputs)
    back = adjoint(vectors)
    within = product(back, d_vectors)
    along = as_like(call("real", call("diag_part", within)), vectors)
    kept = within - product(back, vectors * along[..., None, :])
    inner = call("diag", d_values) + conjugate(_differences(values)) * kept
    return (_in_dtype_of(inputs[0], product(call("matrix_solve", back, inner), back)),)


def eigvals(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient of `eigvals`: each value is w^H a v, w^H a row of the inverse of v."""
    values, vectors = call("eig", inputs[0])
    back = adjoint(vectors)
    gradient = call("matrix_solve", back, call("diag", dys[0]))
    return (_in_dtype_of(inputs[0], product(gradient, back)),)


def _in_dtype_of(a: Any, gradient: Any) -> Any:
    return gradient if a.dtype.is_complex else call("real", gradient)


def lu(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> tuple[Any]:
    """Return the gradient of `lu`, both of whose factors are in one matrix."""
    (both, order), d_both = outputs, dys[0]
    if d_both is None:
        return (None,)
    ones = call("diag", call("ones_like", call("diag_part", both), dtype=both.dtype))
    below, above = lower(both) + ones, upper(both)
    inside = lower(product(adjoint(below), lower(d_both)))
    inside = inside + upper(product(upper(d_both), adjoint(above)))
    left = call("matrix_solve", adjoint(below), inside)
    gradient = adjoint(call("matrix_solve", above, adjoint(left)))
    places = call("argsort", order, axis=-1, descending=False)
    moved = call("equal", places[..., :, None], _counted(places)[..., None, :])
    return (product(call("cast", moved, dtype=both.dtype), gradient),)


def _counted(places: Any) -> Any:
    """Return 0, 1, ... along the last axis."""
    ones = call("ones_like", places, dtype=places.dtype)
    return call("cumsum", ones, axis=-1, exclusive=True, reverse=False)
