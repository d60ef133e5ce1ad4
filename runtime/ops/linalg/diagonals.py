"""Diagonals of matrices: made into one, taken out, set, and all but some of them cut off."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import shown
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import ArgumentValueError
from runtime.ops import infer
from runtime.ops.arguments import known_array, static_int
from runtime.ops.convert import matched, to_tensor
from runtime.ops.grad import matrices as backward
from runtime.ops.linalg.diagonal_bands import ALIGNMENTS, DIAGONALS, FROM_DIAGONALS, SET_DIAG
from runtime.ops.op import apply, define

# Rows of so many elements are copied one by one.
_LONG = 64


def _diag_kernel(diagonal: Array) -> Array:
    size = diagonal.shape[-1]
    matrix = np.zeros((*diagonal.shape, size), diagonal.dtype)
    matrix[..., range(size), range(size)] = diagonal
    return matrix


def _diag_infer(diagonal: TensorSpec) -> TensorSpec:
    infer.check_rank_at_least(diagonal, 1)
    if diagonal.shape.rank is None:
        return diagonal.unnamed()
    return TensorSpec(diagonal.shape + diagonal.shape[-1:], diagonal.dtype)


def _diag_part_infer(matrix: TensorSpec) -> TensorSpec:
    infer.check_rank_at_least(matrix, 2)
    if matrix.shape.rank is None:
        return TensorSpec(None, matrix.dtype)
    rows, columns = matrix.shape[-2:]
    size = None if rows is None or columns is None else min(rows, columns)
    return TensorSpec(matrix.shape[:-2] + (size,), matrix.dtype)


def _band_part_kernel(x: Array, *, num_lower: int, num_upper: int) -> Array:
    height, width = x.shape[-2:]
    if x.size < _LONG * height:
        rows, columns = np.ogrid[:height, :width]
        low = (num_lower < 0) | (rows - columns <= num_lower)
        return np.where(low & ((num_upper < 0) | (columns - rows <= num_upper)), x, x.dtype.type(0))
    out = np.zeros(x.shape, x.dtype)
    for row in range(height):
        first = 0 if num_lower < 0 else min(max(row - num_lower, 0), width)
        last = width if num_upper < 0 else min(row + num_upper + 1, width)
        out[..., row, first:last] = x[..., row, first:last]
    return out


def _band_part_infer(x: TensorSpec, **attrs: int) -> TensorSpec:
    infer.check_rank_at_least(x, 2)
    return x.unnamed()


DIAG = define(
    "diag", _diag_kernel, _diag_infer, grad=backward.diag, lower={"graphdef": "MatrixDiagV3"}
)
DIAG_PART = define(
    "diag_part",
    lambda x: np.diagonal(x, axis1=-2, axis2=-1),
    _diag_part_infer,
    grad=backward.diag_part,
    lower={"graphdef": "MatrixDiagPartV3"},
)
BAND_PART = define(
    "band_part",
    _band_part_kernel,
    _band_part_infer,
    grad=backward.band_part,
    lower={"graphdef": "MatrixBandPart"},
)


def diag(
    diagonal: Any,
    name: str | None = None,
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return square matrices with the last axis of `diagonal` on the diagonal, 0 elsewhere.

    Args:
        diagonal: of shape (..., n), or (..., diagonals, n) for more than one.
        k: which diagonal, counted from the main one upwards; or the lowest and the highest.
        num_rows, num_cols: the sizes of the matrices; as small as can be by default.
        padding_value: a number that goes everywhere else.
        align: on which side of its row a shorter diagonal is, first above, then below the main one:
            RIGHT_LEFT, LEFT_RIGHT, LEFT_LEFT or RIGHT_RIGHT.

    Raises:
        ShapeError: the diagonals do not fit.

    >>> print(diag([1, 2]))
    rt.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    x = to_tensor(diagonal)
    band, sizes = _band(k), (static_int(num_rows, "num_rows"), static_int(num_cols, "num_cols"))
    padding, aligned = _number(padding_value, x), _alignment(align)
    if (band, sizes, padding) == ((0, 0), (-1, -1), 0):
        result: Tensor = apply(DIAG, (x,))
        return result
    attrs = {"k": band, "sizes": sizes, "padding": padding, "align": aligned}
    made: Tensor = apply(FROM_DIAGONALS, (x,), **attrs)
    return made


def diag_part(
    input: Any,
    name: str | None = None,
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return the diagonals of matrices.

    Args:
        k, align: as for `diag`.
        padding_value: a number that fills the rows of shorter diagonals.

    Returns:
        A tensor of shape (..., n), or (..., diagonals, n) for more than one.

    >>> print(diag_part([[1, 2], [3, 4]]))
    rt.Tensor([1 4], shape=(2,), dtype=int32)
    """
    x = to_tensor(input)
    band, padding, aligned = _band(k), _number(padding_value, x), _alignment(align)
    if band == (0, 0):
        result: Tensor = apply(DIAG_PART, (x,))
        return result
    taken: Tensor = apply(DIAGONALS, (x,), k=band, padding=padding, align=aligned)
    return taken


def set_diag(
    input: Any, diagonal: Any, name: str | None = None, k: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Return matrices with other elements on a diagonal, or on several.

    Args:
        diagonal: as `diag_part(input, k=k)` gives it.
        k, align: as for `diag`.

    >>> print(set_diag([[1, 2], [3, 4]], [7, 8]))
    rt.Tensor(
    [[7 2]
     [3 8]], shape=(2, 2), dtype=int32)
    """
    inputs, _ = matched((to_tensor(input), diagonal), "set_diag")
    result: Tensor = apply(SET_DIAG, inputs, k=_band(k), align=_alignment(align))
    return result


def band_part(input: Any, num_lower: int, num_upper: int, name: str | None = None) -> Tensor:
    """Return matrices in which all but that many diagonals are 0; a negative number keeps all.

    >>> print(band_part([[1, 2], [3, 4]], -1, 0))
    rt.Tensor(
    [[1 0]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    attrs = {
        "num_lower": static_int(num_lower, "num_lower"),
        "num_upper": static_int(num_upper, "num_upper"),
    }
    result: Tensor = apply(BAND_PART, (to_tensor(input),), **attrs)
    return result


def _band(k: Any) -> tuple[int, int]:
    known = known_array(k, "k")
    if known.dtype.kind not in "iu" or known.size not in (1, 2) or known.ndim > 1:
        raise ArgumentValueError(f"k is one integer, or the lowest and the highest, not {shown(k)}")
    low, high = int(known.flat[0]), int(known.flat[-1])
    if low > high:
        raise ArgumentValueError(f"the lowest diagonal of k is {low}, above the highest, {high}")
    return low, high


def _number(value: Any, like: Tensor) -> Any:
    # A 0 fits in every dtype.
    is_zero = isinstance(value, (int, float)) and value == 0
    known = known_array(0 if is_zero else to_tensor(value, like.dtype), "padding_value")
    if known.ndim:
        raise ArgumentValueError(f"padding_value is one number, not {shown(value)}")
    return known.item()


def _alignment(align: Any) -> str:
    if not isinstance(align, str) or align not in ALIGNMENTS:
        raise ArgumentValueError(f"align is one of {', '.join(ALIGNMENTS)}, not {align!r}")
    return str(align)
