"""Functions of tensors that Keras has in another form than `rt`: results, axes and defaults."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.settings import choice, flag
from runtime.nn.functions import of_numpy
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import linspace as evenly_spaced
from runtime.ops.arrays.cumulative import cumprod as products_along
from runtime.ops.arrays.reduction import reduce_max, reduce_sum
from runtime.ops.arrays.segments import unsorted_segment_max, unsorted_segment_sum
from runtime.ops.arrays.shape import reshape
from runtime.ops.arrays.space_to_depth import depth_to_space as channels_as_blocks
from runtime.ops.arrays.space_to_depth import space_to_depth as blocks_as_channels
from runtime.ops.constant import cast, constant
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, divide, pow, subtract
from runtime.ops.linalg.diagonals import diag as diagonal_matrix
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.factorizations import qr as orthogonal_and_upper
from runtime.ops.linalg.factorizations import svd as singular_values
from runtime.ops.linalg.solvers import adjoint

_FORMATS = {"channels_last": "NHWC", "channels_first": "NCHW"}


def cumprod(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Return the products of all elements up to each, along an axis or one by one.

    >>> cumprod([[1, 2], [3, 4]]).numpy().tolist()
    [1, 2, 6, 24]
    """
    values = to_tensor(x) if dtype is None else cast(x, dtype)
    return (
        products_along(reshape(values, [-1]), 0) if axis is None else products_along(values, axis)
    )


def rounded(x: Any, decimals: int = 0) -> Any:
    """Return the nearest numbers with so many decimals; halves go to the even one.

    >>> [round(float(each), 1) for each in rounded([0.25, 1.5], 1)]
    [0.2, 1.5]
    """
    return of_numpy("round")(x, static_int(decimals, "decimals"))


def diag(x: Any, k: int = 0) -> Any:
    """Return a matrix with a row of numbers on a diagonal, or the diagonal of a matrix.

    >>> diag([1, 2]).numpy().tolist(), diag([[1, 2], [3, 4]], 1).numpy().tolist()
    ([[1, 0], [0, 2]], [2])
    """
    tensor, offset = to_tensor(x), static_int(k, "k")
    return diagonal_matrix(tensor, k=offset) if tensor.ndim == 1 else diag_part(tensor, k=offset)


def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Return the sum along a diagonal of two axes.

    >>> int(trace([[1, 2], [3, 4]], offset=1))
    2
    """
    last = of_numpy("moveaxis")(x, (axis1, axis2), (-2, -1))
    return reduce_sum(diag_part(last, k=static_int(offset, "offset")), -1)


def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = None) -> Any:
    """Return ones on a diagonal, and zeros elsewhere: float32 by default.

    >>> eye(2, 3, k=1).numpy().tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    rows = static_int(N, "N")
    columns = rows if M is None else static_int(M, "M")
    found = np.eye(rows, columns, static_int(k, "k"), np.float32)
    return constant(found) if dtype is None else cast(constant(found), dtype)


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """Return numbers evenly spaced from `start` to `stop`; whole numbers give float32.

    Args:
        endpoint: whether `stop` is the last of them, or would be the next one.

    >>> linspace(0, 4, 4, endpoint=False).numpy().tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    count = static_int(num, "num")
    first, last = (_float(each) for each in (start, stop))
    if not flag(endpoint, "endpoint") and count:
        last = subtract(last, divide(subtract(last, first), count))
    found = evenly_spaced(first, last, count, axis=axis)
    return found if dtype is None else cast(found, dtype)


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Return powers of a base whose exponents are evenly spaced; see `linspace`.

    >>> logspace(0.0, 2.0, 3).numpy().tolist()
    [1.0, 10.0, 100.0]
    """
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    found = pow(cast(to_tensor(base), exponents.dtype), exponents)
    return found if dtype is None else cast(found, dtype)


def _float(value: Any) -> Any:
    tensor = to_tensor(value)
    return tensor if tensor.dtype.is_floating else cast(tensor, "float32")


def svd(x: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """Return u, s and the adjoint of v with x == u @ diag(s) @ it; s alone on demand.

    >>> [tuple(each.shape) for each in svd([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])]
    [(3, 3), (2,), (2, 2)]
    """
    found = singular_values(x, full_matrices, compute_uv)
    return (found[1], found[0], adjoint(found[2])) if compute_uv else found


def qr(x: Any, mode: str = "reduced") -> Any:
    """Return q and r with q @ r == x: with the mode "complete", q is square.

    >>> tuple(qr([[1.0], [2.0]], mode="complete")[0].shape)
    (2, 2)
    """
    return orthogonal_and_upper(x, choice(mode, "mode", ("reduced", "complete")) == "complete")


def segment_sum(data: Any, segment_ids: Any, num_segments: Any = None) -> Any:
    """Return sums of the elements that have one number, in whatever order the numbers come.

    >>> segment_sum([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 5]
    """
    return unsorted_segment_sum(data, segment_ids, _count(segment_ids, num_segments))


def segment_max(data: Any, segment_ids: Any, num_segments: Any = None) -> Any:
    """Return the largest of the elements that have one number, in whatever order these come.

    >>> segment_max([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 4]
    """
    return unsorted_segment_max(data, segment_ids, _count(segment_ids, num_segments))


def _count(segment_ids: Any, given: Any) -> Any:
    return add(reduce_max(segment_ids), 1) if given is None else given


def depth_to_space(x: Any, block_size: int, data_format: str = "channels_last") -> Any:
    """Return images in which the channels of each pixel stand as a block.

    >>> tuple(depth_to_space([[[[1, 2, 3, 4]]]], 2).shape)
    (1, 2, 2, 1)
    """
    return channels_as_blocks(x, block_size, _FORMATS[_format(data_format)])


def space_to_depth(x: Any, block_size: int, data_format: str = "channels_last") -> Any:
    """Return images in which the pixels of each block stand behind each other as channels.

    >>> tuple(space_to_depth([[[[1], [2]], [[3], [4]]]], 2).shape)
    (1, 1, 1, 4)
    """
    return blocks_as_channels(x, block_size, _FORMATS[_format(data_format)])


def _format(value: Any) -> str:
    return str(choice(value, "data_format", tuple(_FORMATS)))
