"""Linear algebra functions of `keras.ops`."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import choice, flag
from runtime.core.lazy_imports import own_names
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.ops.elementwise import floating
from runtime.nn.ops.numpy_functions import of_numpy
from runtime.ops.arguments import static_int
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.arrays.shape import shape as sizes_of
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import multiply
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.factorizations import qr as orthogonal_and_upper
from runtime.ops.linalg.factorizations import svd as singular_values
from runtime.ops.linalg.matrices import adjoint
from runtime.ops.linalg.solvers import triangular_solve


def kron(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the Kronecker product of two matrices, or two rows.

    >>> kron([1, 2], [1, 10]).numpy().tolist()
    [1, 10, 2, 20]
    """
    first, second = to_tensor(x1), to_tensor(x2)
    rank = max(first.ndim, second.ndim)
    sizes = [_padded(each, rank) for each in (first, second)]
    places = [[2 * at + which for at in range(rank)] for which in (0, 1)]
    spread = [[1] * (2 * rank) for _ in sizes]
    for which in (0, 1):
        for at, size in zip(places[which], sizes[which]):
            spread[which][at] = size
    product = multiply(reshape(first, spread[0]), reshape(second, spread[1]))
    return reshape(product, [a * b for a, b in zip(*sizes)])


def _padded(x: Any, rank: int) -> list[Any]:
    sizes = sizes_of(x)
    known = x.shape.as_list()
    own = [sizes[at] if size is None else size for at, size in enumerate(known)]
    return [1] * (rank - len(own)) + own


def trace(x: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the sum along a diagonal of two axes.

    >>> int(trace([[1, 2], [3, 4]], offset=1))
    2
    """
    last = of_numpy("moveaxis")(x, (axis1, axis2), (-2, -1))
    return reduce_sum(diag_part(last, k=static_int(offset, "offset")), -1)


def svd(x: TensorLike, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """Return u, s and vh with `x == u @ diag(s) @ vh`; s alone unless `compute_uv`.

    >>> [tuple(each.shape) for each in svd([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])]
    [(3, 3), (2,), (2, 2)]
    """
    found: Any = singular_values(x, full_matrices, compute_uv)  # type: ignore[call-overload]
    return (found[1], found[0], adjoint(found[2])) if compute_uv else found


def qr(x: TensorLike, mode: str = "reduced") -> Any:
    """Return q and r with `q @ r == x`; in the mode "complete", q is square.

    >>> tuple(qr([[1.0], [2.0]], mode="complete")[0].shape)
    (2, 2)
    """
    return orthogonal_and_upper(x, choice(mode, "mode", ("reduced", "complete")) == "complete")


def solve_triangular(a: TensorLike, b: TensorLike, lower: bool = False) -> Tensor:
    """Return x with a @ x == b, for a triangular matrix.

    >>> solve_triangular([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0]).numpy().tolist()
    [1.0, 1.0]
    """
    matrix, wanted = floating(a), floating(b)
    is_row = wanted.ndim == matrix.ndim - 1
    columns = expand_dims(wanted, -1) if is_row else wanted
    found: Any = triangular_solve(matrix, columns, lower=flag(lower, "lower"))
    return found[..., 0] if is_row else found


outer = of_numpy("outer")
inner = of_numpy("inner")
vdot = of_numpy("vdot")


__dir__ = own_names(__name__, "outer", "inner", "vdot")
