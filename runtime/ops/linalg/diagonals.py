"""Diagonals of matrices: build, extract, replace, and keep a band."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np

from runtime.core.argument_checks import shown
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import known_array, static_int
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.shape import rank, reshape, shape
from runtime.ops.convert import matched, to_tensor
from runtime.ops.effects.assertions import assert_equal, assert_less
from runtime.ops.grad import matrices as backward
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define

ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")
Align: TypeAlias = Annotated[str, ALIGNMENTS]
Band: TypeAlias = tuple[int, int]
Padding: TypeAlias = bool | int | float | complex | str | bytes


def places(shape: tuple[int, ...], k: tuple[int, int], align: str) -> tuple[Array, Array, Array]:
    """Return the row and the column of each element of the diagonals, and whether it exists.

    >>> rows, columns, there = places((2, 2), (0, 1), "RIGHT_LEFT")
    >>> columns[there].tolist()
    [1, 0, 1]
    """
    rows, columns = shape[-2:]
    low, high = k
    check_band(TensorShape.of(shape), k)
    longest = longest_diagonal(rows, columns, k)
    upper, lower = align.split("_")
    at = np.arange(longest)[None, :]
    diagonal = np.arange(high, low - 1, -1)[:, None]
    length = np.minimum(rows + np.minimum(diagonal, 0), columns - np.maximum(diagonal, 0))
    to_right = np.where(diagonal >= 0, upper == "RIGHT", lower == "RIGHT")
    step = at - np.where(to_right, longest - length, 0)
    there = (step >= 0) & (step < length)
    return step + np.maximum(-diagonal, 0), step + np.maximum(diagonal, 0), there


def longest_diagonal(rows: int, columns: int, k: tuple[int, int]) -> int:
    """Return the number of elements of the longest of the diagonals.

    >>> longest_diagonal(3, 4, (1, 2))
    3
    """
    low, high = k
    return min(rows + min(high, 0), columns - max(low, 0))


def check_band(shape: TensorShape, k: tuple[int, int]) -> None:
    """Raise ShapeError if matrices of a shape, as far as it is known, lack these diagonals."""
    rows, columns = shape[-2:]
    for each in k:
        is_above = columns is not None and each >= max(columns, 1)
        if is_above or (rows is not None and -each >= max(rows, 1)):
            raise ShapeError(f"matrices of shape {shape} have no diagonal {each}")


def _row_shape(batch: TensorShape, longest: int | None, k: tuple[int, int]) -> TensorShape:
    count = k[1] - k[0] + 1
    return batch + ((longest,) if count == 1 else (count, longest))


def _as_rows(diagonals: Array, k: tuple[int, int]) -> Array:
    """Return diagonals with an axis for their number, even if there is only one."""
    return diagonals[..., None, :] if k[0] == k[1] else diagonals


def _part_kernel(x: Array, *, k: Band, padding: Padding, align: Align) -> Array:
    infer.check_rank_at_least(TensorSpec.of_array(x), 2)
    rows, columns, there = places(x.shape, k, align)
    found = x[..., np.where(there, rows, 0), np.where(there, columns, 0)]
    whole = np.where(there, found, np.asarray(padding, x.dtype))
    return whole[..., 0, :] if k[0] == k[1] else whole


def _part_infer(x: TensorSpec, *, k: Band, padding: Padding, align: Align) -> TensorSpec:
    infer.check_rank_at_least(x, 2)
    if x.shape.rank is None:
        return TensorSpec(None, x.dtype)
    check_band(x.shape, k)
    rows, columns = x.shape[-2:]
    longest = None
    if rows is not None and columns is not None:
        longest = longest_diagonal(rows, columns, k)
    return TensorSpec(_row_shape(x.shape[:-2], longest, k), x.dtype)


def _set_kernel(x: Array, diagonals: Array, *, k: Band, align: Align) -> Array:
    _set_infer(TensorSpec.of_array(x), TensorSpec.of_array(diagonals), k=k, align=align)
    rows, columns, there = places(x.shape, k, align)
    changed = x.copy()
    changed[..., rows[there], columns[there]] = _as_rows(diagonals, k)[..., there]
    return changed


def _set_infer(x: TensorSpec, diagonals: TensorSpec, *, k: Band, align: Align) -> TensorSpec:
    infer.check_same_dtype(x, diagonals)
    wanted = _part_infer(x, k=k, padding=0, align=align).shape
    if not wanted.is_compatible_with(diagonals.shape):
        raise ShapeError(
            f"diagonals of shape {diagonals.shape} do not fit into matrices of shape {x.shape}: "
            f"they should have shape {wanted}"
        )
    return x.unnamed()


def _made_kernel(
    diagonals: Array, *, k: Band, sizes: tuple[int, int], padding: Padding, align: Align
) -> Array:
    lead = 1 if k[0] == k[1] else 2
    if diagonals.ndim < lead:
        raise ShapeError(_too_flat(TensorShape.of(diagonals.shape), k))
    dims = _matrix_dims(diagonals.shape[-1], k, sizes)
    whole = np.full((*diagonals.shape[:-lead], *dims), padding, diagonals.dtype)
    _check_count(TensorShape.of(diagonals.shape), k)
    rows, columns, there = places(whole.shape, k, align)
    whole[..., rows[there], columns[there]] = _as_rows(diagonals, k)[..., there]
    return whole


def _made_infer(
    diagonals: TensorSpec, *, k: Band, sizes: tuple[int, int], padding: Padding, align: Align
) -> TensorSpec:
    lead = 1 if k[0] == k[1] else 2
    if diagonals.shape.rank is None:
        return TensorSpec(UNKNOWN, diagonals.dtype)
    if diagonals.shape.rank < lead:
        raise ShapeError(_too_flat(diagonals.shape, k))
    _check_count(diagonals.shape, k)
    longest = diagonals.shape[-1]
    known = tuple(None if size < 0 else size for size in sizes)
    dims = known if longest is None else _matrix_dims(longest, k, sizes)
    return TensorSpec(diagonals.shape[:-lead] + dims, diagonals.dtype)


def _too_flat(shape: TensorShape, k: tuple[int, int]) -> str:
    return f"{k[1] - k[0] + 1} diagonals are given by more axes than shape {shape} has"


def _check_count(shape: TensorShape, k: tuple[int, int]) -> None:
    count = k[1] - k[0] + 1
    if count > 1 and shape[-2] not in (None, count):
        raise ShapeError(f"k={k} needs {count} diagonals, not {shape[-2]}")


def _matrix_dims(longest: int, k: tuple[int, int], sizes: tuple[int, int]) -> tuple[int, int]:
    """Return the sizes of matrices for diagonals of a length, by default the smallest ones."""
    low, high = k
    rows_least, columns_least = longest - min(high, 0), longest + max(low, 0)
    rows, columns = sizes
    if rows < 0 and columns < 0:
        rows = columns = max(rows_least, columns_least)
    rows = rows_least if rows < 0 else rows
    columns = columns_least if columns < 0 else columns
    exact = rows == rows_least or columns == columns_least
    if rows < rows_least or columns < columns_least or not exact:
        raise ArgumentValueError(
            f"matrices of {rows} rows and {columns} columns do not have diagonals {k} of "
            f"{longest} elements"
        )
    return rows, columns


def _part_grad(dys: Any, outputs: Any, inputs: Any, *, k: Any, padding: Any, align: str) -> Any:
    zeros = call("zeros_like", inputs[0], dtype=inputs[0].dtype)
    return (apply(SET_DIAG, (zeros, dys[0]), k=k, align=align),)


def _made_grad(dys: Any, outputs: Any, inputs: Any, *, k: Any, align: str, **attrs: Any) -> Any:
    return (apply(DIAGONALS, (dys[0],), k=k, padding=0, align=align),)


def _set_grad(dys: Any, outputs: Any, inputs: Any, *, k: Any, align: str) -> Any:
    zeros = call("zeros_like", inputs[1], dtype=inputs[1].dtype)
    kept = apply(SET_DIAG, (dys[0], zeros), k=k, align=align)
    return kept, apply(DIAGONALS, (dys[0],), k=k, padding=0, align=align)


DIAGONALS = define(
    "diagonals",
    _part_kernel,
    _part_infer,
    grad=_part_grad,
    tensorflow_name="MatrixDiagPartV3",
)
FROM_DIAGONALS = define(
    "from_diagonals",
    _made_kernel,
    _made_infer,
    grad=_made_grad,
    tensorflow_name="MatrixDiagV3",
)
SET_DIAG = define(
    "set_diag",
    _set_kernel,
    _set_infer,
    grad=_set_grad,
    tensorflow_name="MatrixSetDiagV3",
)


# -- the main diagonal, and bands ------------------------------------------------------------------


# The length from which on rows are copied one by one.
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


DIAG = define("diag", _diag_kernel, _diag_infer, grad=backward.diag, tensorflow_name="MatrixDiagV3")
DIAG_PART = define(
    "diag_part",
    lambda x: np.diagonal(x, axis1=-2, axis2=-1),
    _diag_part_infer,
    grad=backward.diag_part,
    tensorflow_name="MatrixDiagPartV3",
)
BAND_PART = define(
    "band_part",
    _band_part_kernel,
    _band_part_infer,
    grad=backward.band_part,
    tensorflow_name="MatrixBandPart",
)


def diag(
    diagonal: TensorLike,
    name: str | None = None,
    k: TensorLike = 0,
    num_rows: TensorLike = -1,
    num_cols: TensorLike = -1,
    padding_value: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return matrices with the last axis of `diagonal` on a diagonal, `padding_value` elsewhere.

    Args:
        diagonal: of shape (..., n), or (..., diagonals, n) for more than one.
        k: the number of the diagonal, counted from the main one upwards; or a pair, the lowest and
            the highest.
        num_rows, num_cols: the sizes of the matrices; by default the smallest possible.
        padding_value: the value of all other elements.
        align: the side of its row where a shorter diagonal is placed, for those above and below the
            main one: RIGHT_LEFT, LEFT_RIGHT, LEFT_LEFT or RIGHT_RIGHT.

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
    input: TensorLike,
    name: str | None = None,
    k: TensorLike = 0,
    padding_value: TensorLike = 0,
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
    input: TensorLike,
    diagonal: TensorLike,
    name: str | None = None,
    k: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return matrices with other elements on a diagonal, or on several.

    Args:
        diagonal: in the form of `diag_part(input, k=k)`.
        k, align: as for `diag`.

    >>> print(set_diag([[1, 2], [3, 4]], [7, 8]))
    rt.Tensor(
    [[7 2]
     [3 8]], shape=(2, 2), dtype=int32)
    """
    inputs, _ = matched((to_tensor(input), diagonal), "set_diag")
    result: Tensor = apply(SET_DIAG, inputs, k=_band(k), align=_alignment(align))
    return result


def band_part(input: TensorLike, num_lower: int, num_upper: int, name: str | None = None) -> Tensor:
    """Return matrices with 0 outside of a band of diagonals; a negative number keeps all.

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
        raise ArgumentValueError(f"k must be an int or a pair (lowest, highest), not {shown(k)}")
    low, high = int(known.flat[0]), int(known.flat[-1])
    if low > high:
        raise ArgumentValueError(f"k must be a pair (lowest, highest), not ({low}, {high})")
    return low, high


def _number(value: Any, like: Tensor) -> Any:
    # 0 is valid for every dtype.
    is_zero = isinstance(value, (int, float)) and value == 0
    known = known_array(0 if is_zero else to_tensor(value, like.dtype), "padding_value")
    if known.ndim:
        raise ArgumentValueError(f"padding_value must be one number, not {shown(value)}")
    return known.item()


def _alignment(align: Any) -> str:
    if not isinstance(align, str) or align not in ALIGNMENTS:
        raise ArgumentValueError(f"align must be one of {', '.join(ALIGNMENTS)}, not {align!r}")
    return str(align)


# -- diagonals of tensors, whose rows and columns have several axes --------------------------------


def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Return zeros of shape `diagonal.shape * 2` with elements where both halves of an index agree.

    >>> tensor_diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    x = to_tensor(diagonal)
    if x.shape.rank == 0:
        raise ShapeError("tensor_diag needs at least one axis, not a scalar")
    if x.shape.rank is None:
        assert_less(0, rank(x), "tensor_diag needs at least one axis, not a scalar")
    whole = diag(reshape(x, [-1]))
    if x.shape.is_fully_defined():
        return reshape(whole, [*x.shape, *x.shape])
    return reshape(whole, concat([shape(x), shape(x)], 0))


def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the elements of a tensor at indices whose two halves are equal.

    Args:
        input: a tensor whose shape consists of two equal halves.

    >>> tensor_diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    x = to_tensor(input)
    if x.shape.rank is None:
        raise ShapeError("tensor_diag_part needs a known rank: write rt.ensure_shape")
    half = x.shape.rank // 2
    if x.shape.rank % 2 or not half:
        raise ShapeError(
            f"tensor_diag_part takes a tensor with an even number of axes, not of shape {x.shape}"
        )
    first, second = x.shape[:half], x.shape[half:]
    if not first.is_compatible_with(second):
        raise ShapeError(f"tensor_diag_part: both halves of shape {x.shape} must be the same")
    sizes: Any = shape(x)
    count = first.num_elements()
    side = -1 if count is None else count
    if count is None or second.num_elements() is None:
        assert_equal(sizes[:half], sizes[half:], "both halves of the shape must be the same")
    if count is None:
        rows = reshape(x, concat([[_product(sizes[:half])], [-1]], 0))
    else:
        rows = reshape(x, [side, side])
    return reshape(diag_part(rows), sizes[:half])


def _product(sizes: Any) -> Any:
    from_first: Any = sizes[0]
    for at in range(1, sizes.shape[0]):
        from_first = from_first * sizes[at]
    return from_first
