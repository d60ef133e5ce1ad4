"""Factorizations of matrices: QR, singular values, eigenvalues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import complex64, complex128, float32, float64
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.ops import infer
from runtime.ops.convert import to_tensor
from runtime.ops.grad import factorizations as backward
from runtime.ops.linalg.matrices import square_matrices
from runtime.ops.op import apply, define

_AS_COMPLEX = {float32: complex64, float64: complex128}
_WIDE = frozenset((float32, float64, complex64, complex128))


class Qr(NamedTuple):
    """The factors of a matrix: q with orthonormal columns, r upper triangular."""

    q: Tensor
    r: Tensor


def check_wide(x: TensorSpec) -> None:
    """Raise DTypeError for float dtypes that are too short for factorizations."""
    if x.dtype not in _WIDE:
        raise DTypeError(
            f"works on 32 bits or more, not on {x.dtype.name}: write rt.cast(x, rt.float32)"
        )


def wide(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that refuses the arguments that `check_wide` refuses."""

    def checked(a: Array, **attrs: Any) -> Any:
        check_wide(TensorSpec.of_array(a))
        return kernel(a, **attrs)

    return checked


def _sizes(x: TensorSpec) -> tuple[TensorShape | None, int | None, int | None]:
    """Return the batch shape of the matrices, and their sizes; None for unknown ones."""
    check_wide(x)
    infer.check_rank_at_least(x, 2)
    if x.shape.rank is None:
        return None, None, None
    rows, columns = x.shape[-2:]
    return x.shape[:-2], rows, columns


def _batched(batch: TensorShape | None, *dims: int | None) -> TensorShape:
    return UNKNOWN if batch is None else batch + dims


def _lesser(rows: int | None, columns: int | None) -> int | None:
    return None if rows is None or columns is None else min(rows, columns)


def _qr_kernel(a: Array, *, full_matrices: bool) -> tuple[Array, Array]:
    q, r = np.linalg.qr(a, "complete" if full_matrices else "reduced")
    return q, r


def _qr_infer(a: TensorSpec, *, full_matrices: bool) -> tuple[TensorSpec, TensorSpec]:
    batch, rows, columns = _sizes(a)
    inner = rows if full_matrices else _lesser(rows, columns)
    shapes = _batched(batch, rows, inner), _batched(batch, inner, columns)
    return TensorSpec(shapes[0], a.dtype), TensorSpec(shapes[1], a.dtype)


def _svd_kernel(a: Array, *, full_matrices: bool) -> tuple[Array, Array, Array]:
    u, s, vh = np.linalg.svd(a, full_matrices=full_matrices)
    return s, u, np.conj(np.swapaxes(vh, -1, -2))


def _svd_infer(a: TensorSpec, *, full_matrices: bool) -> tuple[TensorSpec, TensorSpec, TensorSpec]:
    batch, rows, columns = _sizes(a)
    inner = _lesser(rows, columns)
    u = _batched(batch, rows, rows if full_matrices else inner)
    v = _batched(batch, columns, columns if full_matrices else inner)
    values = TensorSpec(_batched(batch, inner), a.dtype.real_dtype)
    return values, TensorSpec(u, a.dtype), TensorSpec(v, a.dtype)


def _singular_values_infer(a: TensorSpec) -> TensorSpec:
    batch, rows, columns = _sizes(a)
    return TensorSpec(_batched(batch, _lesser(rows, columns)), a.dtype.real_dtype)


def _values_infer(a: TensorSpec) -> TensorSpec:
    check_wide(a)
    square_matrices(a)
    return TensorSpec(UNKNOWN if a.shape.rank is None else a.shape[:-1], a.dtype.real_dtype)


def _complex_values_infer(a: TensorSpec) -> TensorSpec:
    return _values_infer(a).with_dtype(_AS_COMPLEX.get(a.dtype, a.dtype))


def _eigh_infer(a: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    return _values_infer(a), TensorSpec(square_matrices(a), a.dtype)


def _eig_infer(a: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    values = _complex_values_infer(a)
    return values, TensorSpec(square_matrices(a), values.dtype)


def _eigh_kernel(a: Array) -> tuple[Array, Array]:
    values, vectors = np.linalg.eigh(a)
    return values, vectors


def _eig_kernel(a: Array) -> tuple[Array, Array]:
    values, vectors = np.linalg.eig(a)
    return _as_complex(values), _as_complex(vectors)


# NumPy returns real arrays if all results are real.
def _as_complex(a: Array) -> Array:
    return a.astype(np.result_type(a.dtype, np.complex64), copy=False)


QR = define(
    "qr",
    wide(_qr_kernel),
    _qr_infer,
    kinds="fc",
    n_outputs=2,
    grad=backward.qr,
    tensorflow_name="Qr",
)
SVD = define(
    "svd",
    wide(_svd_kernel),
    _svd_infer,
    kinds="fc",
    n_outputs=3,
    grad=backward.svd,
    tensorflow_name="Svd",
)
SINGULAR_VALUES = define(
    "singular_values",
    wide(lambda a: np.linalg.svd(a, compute_uv=False)),
    _singular_values_infer,
    kinds="fc",
    grad=backward.singular_values,
)
EIGH = define(
    "eigh",
    wide(_eigh_kernel),
    _eigh_infer,
    kinds="fc",
    n_outputs=2,
    grad=backward.eigh,
    tensorflow_name="SelfAdjointEigV2",
)
EIGVALSH = define(
    "eigvalsh", wide(np.linalg.eigvalsh), _values_infer, kinds="fc", grad=backward.eigvalsh
)
EIG = define(
    "eig",
    wide(_eig_kernel),
    _eig_infer,
    kinds="fc",
    n_outputs=2,
    grad=backward.eig,
    tensorflow_name="Eig",
)
EIGVALS = define(
    "eigvals",
    wide(lambda a: _as_complex(np.linalg.eigvals(a))),
    _complex_values_infer,
    kinds="fc",
    grad=backward.eigvals,
)


def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Return q and r with q @ r == input: q has orthonormal columns, r is upper triangular.

    Args:
        input: float or complex matrices, of shape (..., m, n).
        full_matrices: whether q is square; else it has min(m, n) columns. With more rows than
            columns, full matrices have no gradient.

    >>> q, r = qr([[3.0, 0.0], [4.0, 5.0]])
    >>> r.numpy().round(3).tolist()
    [[-5.0, -4.0], [0.0, 3.0]]
    """
    return Qr(*apply(QR, (to_tensor(input),), full_matrices=flag(full_matrices, "full_matrices")))


@overload
def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: Literal[True] = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    *,
    compute_uv: Literal[False],
    name: str | None = None,
) -> Tensor: ...
def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor] | Tensor:
    """Return s, u and v with tensor == u @ diag(s) @ adjoint(v); s is descending.

    Args:
        tensor: float or complex matrices, of shape (..., m, n).
        full_matrices: whether u and v are square; else they have min(m, n) columns. Full matrices
            have a gradient only if the input is square.
        compute_uv: whether to return u and v; else s alone is returned.

    >>> print(svd([[0.0, 2.0], [3.0, 0.0]], compute_uv=False))
    rt.Tensor([3. 2.], shape=(2,), dtype=float32)
    """
    matrices = to_tensor(tensor)
    if not flag(compute_uv, "compute_uv"):
        return apply(SINGULAR_VALUES, (matrices,))
    return apply(SVD, (matrices,), full_matrices=flag(full_matrices, "full_matrices"))


def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Return the ascending eigenvalues of symmetric or hermitian matrices, and the eigenvectors.

    Only the lower triangles are read. The vectors are the columns of the second result.

    >>> values, vectors = eigh([[2.0, 0.0], [0.0, 1.0]])
    >>> print(values)
    rt.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    values, vectors = apply(EIGH, (to_tensor(tensor),))
    return values, vectors


def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return the ascending eigenvalues of symmetric or hermitian matrices; see `eigh`.

    >>> print(eigvalsh([[2.0, 0.0], [0.0, 1.0]]))
    rt.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    result: Tensor = apply(EIGVALSH, (to_tensor(tensor),))
    return result


def eig(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Return the eigenvalues of square matrices and, as columns, the eigenvectors; all complex.

    Their order is not specified.

    >>> values, vectors = eig([[2.0, 1.0], [0.0, 1.0]])
    >>> print(values)
    rt.Tensor([2.+0.j 1.+0.j], shape=(2,), dtype=complex64)
    """
    values, vectors = apply(EIG, (to_tensor(tensor),))
    return values, vectors


def eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return the eigenvalues of square matrices, which are complex; see `eig`.

    >>> print(eigvals([[2.0, 1.0], [0.0, 1.0]]))
    rt.Tensor([2.+0.j 1.+0.j], shape=(2,), dtype=complex64)
    """
    result: Tensor = apply(EIGVALS, (to_tensor(tensor),))
    return result
