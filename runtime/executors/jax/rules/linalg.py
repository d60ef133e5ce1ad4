"""Rules of products of matrices, factorizations, functions of matrices, and diagonals.

XLA calls LAPACK, as NumPy does. A matrix without a result has NaN or infinities there, and is left
to the NumPy executor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.shapes import result_shape
from runtime.executors.jax.rules.table import rule
from runtime.ops.linalg.diagonals import places
from runtime.ops.linalg.matrix_functions import LARGEST_NORM, PADE

# Products are computed with all digits of their dtype, also where a GPU has faster ones.
_DIGITS = "highest"


def _swapped(x: Any) -> Any:
    return jnp.swapaxes(x, -1, -2)


def _fail_unless_finite(run: Any, *arrays: Any) -> None:
    for each in arrays:
        run.fail(~jnp.isfinite(each))


# -- products --------------------------------------------------------------------------------------


@rule("matmul")
def _matmul(
    run: Any, node: Any, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False
) -> Any:
    x, y = _swapped(a) if transpose_a else a, _swapped(b) if transpose_b else b
    return jnp.matmul(x, y, precision=_DIGITS)


@rule("einsum")
def _einsum(run: Any, node: Any, *arrays: Any, equation: str) -> Any:
    return jnp.einsum(equation, *arrays, precision=_DIGITS)


@rule("tensordot")
def _tensordot(run: Any, node: Any, a: Any, b: Any, *, axes: Any) -> Any:
    return jnp.tensordot(a, b, axes, precision=_DIGITS)


def _gradient(product: Callable[..., Any], dy: Any, factors: Any, position: int) -> Any:
    """Return the gradient of a factor. The product is linear in it, so this is the transpose."""
    others = list(factors)

    def of_factor(factor: Any) -> Any:
        return product(*others[:position], factor, *others[position + 1 :])

    like = jax.ShapeDtypeStruct(factors[position].shape, dy.dtype)
    (found,) = jax.linear_transpose(of_factor, like)(jnp.asarray(dy))
    return found


@rule("tensordot_grad")
def _tensordot_grad(
    run: Any, node: Any, dy: Any, a: Any, b: Any, *, axes: Any, position: int
) -> Any:
    return _gradient(
        lambda a, b: jnp.tensordot(a, b, axes, precision=_DIGITS), dy, (a, b), position
    )


@rule("einsum_grad")
def _einsum_grad(run: Any, node: Any, dy: Any, *factors: Any, equation: str, position: int) -> Any:
    return _gradient(
        lambda *arrays: jnp.einsum(equation, *arrays, precision=_DIGITS), dy, factors, position
    )


# -- factorizations --------------------------------------------------------------------------------


@rule("cholesky")
def _cholesky(run: Any, node: Any, a: Any) -> Any:
    # NumPy reads the lower half only.
    found = lax.linalg.cholesky(a, symmetrize_input=False)
    _fail_unless_finite(run, found)
    return found


@rule("qr")
def _qr(run: Any, node: Any, a: Any, *, full_matrices: bool) -> Any:
    q, r = jnp.linalg.qr(a, "complete" if full_matrices else "reduced")
    return q, r


@rule("svd")
def _svd(run: Any, node: Any, a: Any, *, full_matrices: bool) -> Any:
    u, s, vh = jnp.linalg.svd(a, full_matrices=full_matrices)
    _fail_unless_finite(run, s)
    return s, u, jnp.conj(_swapped(vh))


@rule("singular_values")
def _singular_values(run: Any, node: Any, a: Any) -> Any:
    found = jnp.linalg.svd(a, compute_uv=False)
    _fail_unless_finite(run, found)
    return found


@rule("eigh")
def _eigh(run: Any, node: Any, a: Any) -> Any:
    vectors, values = lax.linalg.eigh(a, lower=True, symmetrize_input=False)
    _fail_unless_finite(run, values)
    return values, vectors


@rule("eigvalsh")
def _eigvalsh(run: Any, node: Any, a: Any) -> Any:
    values = _eigh(run, node, a)[0]
    return values


@rule("eig")
def _eig(run: Any, node: Any, a: Any) -> Any:
    values, vectors = jnp.linalg.eig(a)
    _fail_unless_finite(run, values)
    return values, vectors


@rule("eigvals")
def _eigvals(run: Any, node: Any, a: Any) -> Any:
    values = jnp.linalg.eigvals(a)
    _fail_unless_finite(run, values)
    return values


@rule("lu")
def _lu(run: Any, node: Any, a: Any, *, output_idx_type: Any) -> Any:
    both, _, order = lax.linalg.lu(a)
    run.fail(jnp.diagonal(both, axis1=-2, axis2=-1) == 0)
    _fail_unless_finite(run, both)
    return both, order.astype(output_idx_type.np_dtype)


# -- functions of matrices -------------------------------------------------------------------------


@rule("matrix_inverse")
def _inverse(run: Any, node: Any, a: Any) -> Any:
    found = jnp.linalg.inv(a)
    _fail_unless_finite(run, found)
    return found


@rule("matrix_solve")
def _solve(run: Any, node: Any, a: Any, b: Any) -> Any:
    found = jnp.linalg.solve(a, b)
    _fail_unless_finite(run, found)
    return found


@rule("matrix_determinant")
def _determinant(run: Any, node: Any, a: Any) -> Any:
    return jnp.linalg.det(a)


@rule("log_matrix_determinant")
def _log_determinant(run: Any, node: Any, a: Any) -> Any:
    sign, size = jnp.linalg.slogdet(a)
    return sign.astype(a.dtype), size


@rule("pseudo_inverse")
def _pseudo_inverse(run: Any, node: Any, a: Any, *, rcond: float | None) -> Any:
    least = rcond
    if least is None:
        least = 10 * max(a.shape[-2:]) * float(np.finfo(a.dtype).eps)
    found = jnp.linalg.pinv(a, rtol=least)
    _fail_unless_finite(run, found)
    return found.astype(a.dtype)


@rule("matrix_exponential")
def _exponential(run: Any, node: Any, a: Any) -> Any:
    wide = jnp.asarray(a).astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    norms = jnp.max(jnp.sum(jnp.abs(wide), -2), -1, initial=0.0)
    _fail_unless_finite(run, norms)
    usable = jnp.where(jnp.isfinite(norms) & (norms > 0), norms, 1.0)
    halvings = jnp.maximum(0, jnp.ceil(jnp.log2(usable / LARGEST_NORM))).astype(np.int32)
    scaled = wide / (2.0**halvings)[..., None, None]
    square, one = scaled @ scaled, jnp.eye(a.shape[-1])
    even, odd = PADE[12] * one, PADE[13] * one
    for k in (10, 8, 6, 4, 2, 0):
        even, odd = even @ square + PADE[k] * one, odd @ square + PADE[k + 1] * one
    odd = scaled @ odd

    def squared(iteration: Any, found: Any) -> Any:
        return jnp.where((halvings > iteration)[..., None, None], found @ found, found)

    found = jnp.linalg.solve(even - odd, even + odd)
    found = lax.fori_loop(0, jnp.max(halvings, initial=0), squared, found)
    return found.astype(a.dtype)


@rule("matrix_square_root")
def _square_root(run: Any, node: Any, a: Any) -> Any:
    wide = jnp.asarray(a).astype(np.complex128)
    q = jnp.linalg.qr(jnp.linalg.eig(wide)[1])[0]
    adjoint = jnp.conj(_swapped(q))
    triangle = jnp.triu(adjoint @ wide @ q)
    flat = triangle.reshape(-1, *a.shape[-2:])
    root = q @ jax.vmap(_root_of_triangle)(flat).reshape(a.shape) @ adjoint
    _fail_unless_finite(run, root)
    if a.dtype.kind == "c":
        return root.astype(a.dtype)
    sizes = (jnp.max(jnp.abs(each), (-2, -1), keepdims=True) for each in (root.imag, root))
    imaginary, whole = sizes
    is_real = imaginary <= 1e-6 * (1 + whole)
    return jnp.where(is_real, root.real, jnp.nan).astype(a.dtype)


def _root_of_triangle(t: Any) -> Any:
    """Return the root of an upper triangular matrix, column by column from the diagonal up."""
    size = t.shape[-1]
    pairs = [(row, column) for column in range(size) for row in range(column - 1, -1, -1)]
    if not pairs:
        return jnp.sqrt(t)
    places = jnp.asarray(np.array(pairs))

    def step(at: Any, root: Any) -> Any:
        row, column = places[at, 0], places[at, 1]
        # Elements that are not computed yet are 0, so that only those between count.
        rest = t[row, column] - root[row] @ root[:, column]
        below = root[row, row] + root[column, column]
        return root.at[row, column].set(jnp.where(rest == 0, 0, rest / below))

    return lax.fori_loop(0, len(pairs), step, jnp.diag(jnp.sqrt(jnp.diagonal(t))))


# -- diagonals and bands ---------------------------------------------------------------------------


@rule("diag")
def _diag(run: Any, node: Any, diagonal: Any) -> Any:
    size = diagonal.shape[-1]
    at = np.arange(size)
    zeros = jnp.zeros((*diagonal.shape, size), diagonal.dtype)
    return zeros.at[..., at, at].set(diagonal)


@rule("diag_part")
def _diag_part(run: Any, node: Any, x: Any) -> Any:
    return jnp.diagonal(x, axis1=-2, axis2=-1)


@rule("on_diagonal")
def _on_diagonal(run: Any, node: Any, diagonal: Any, like: Any) -> Any:
    at = np.arange(min(like.shape[-2:]))
    return jnp.zeros(like.shape, diagonal.dtype).at[..., at, at].set(diagonal)


@rule("band_part")
def _band_part(run: Any, node: Any, x: Any, *, num_lower: int, num_upper: int) -> Any:
    rows, columns = lax.broadcasted_iota(np.int32, x.shape[-2:], 0), jnp.arange(x.shape[-1])
    is_kept = (num_lower < 0) | (rows - columns <= num_lower)
    is_kept = is_kept & ((num_upper < 0) | (columns - rows <= num_upper))
    return jnp.where(is_kept, x, jnp.zeros((), x.dtype))


@rule("diagonals")
def _diagonals(run: Any, node: Any, x: Any, *, k: Any, padding: Any, align: str) -> Any:
    rows, columns, there = places(x.shape, k, align)
    found = jnp.asarray(x)[..., np.where(there, rows, 0), np.where(there, columns, 0)]
    whole = jnp.where(there, found, jnp.asarray(padding, x.dtype))
    return whole[..., 0, :] if k[0] == k[1] else whole


@rule("from_diagonals")
def _from_diagonals(
    run: Any, node: Any, diagonals: Any, *, k: Any, sizes: Any, padding: Any, align: str
) -> Any:
    whole = jnp.full(result_shape(node, diagonals), padding, diagonals.dtype)
    return _with_diagonals(whole, diagonals, k, align)


@rule("set_diag")
def _set_diag(run: Any, node: Any, x: Any, diagonals: Any, *, k: Any, align: str) -> Any:
    return _with_diagonals(jnp.asarray(x), diagonals, k, align)


def _with_diagonals(whole: Any, diagonals: Any, k: Any, align: str) -> Any:
    rows, columns, there = places(whole.shape, k, align)
    given = diagonals[..., None, :] if k[0] == k[1] else diagonals
    number, at = np.nonzero(there)
    return whole.at[..., rows[there], columns[there]].set(given[..., number, at])
