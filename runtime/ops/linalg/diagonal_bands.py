"""Several diagonals at once: taken out of matrices, made into them, and put in place of theirs.

Diagonals are counted from the main one, which is 0, upwards. Their rows begin with the uppermost; a
shorter one fills its row on the side that `align` says, first for those above the main one.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np

from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops import infer
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define

ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")
Align: TypeAlias = Annotated[str, ALIGNMENTS]
Band: TypeAlias = tuple[int, int]
Padding: TypeAlias = bool | int | float | complex | str | bytes


def places(shape: tuple[int, ...], k: tuple[int, int], align: str) -> tuple[Array, Array, Array]:
    """Return for each element of the diagonals its row and column, and whether there is one.

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
    """Return how many elements the longest of the diagonals has.

    >>> longest_diagonal(3, 4, (1, 2))
    3
    """
    low, high = k
    return min(rows + min(high, 0), columns - max(low, 0))


def check_band(shape: TensorShape, k: tuple[int, int]) -> None:
    """Raise ShapeError where matrices do not have these diagonals, as far as is known."""
    rows, columns = shape[-2:]
    for each in k:
        is_above = columns is not None and each >= max(columns, 1)
        if is_above or (rows is not None and -each >= max(rows, 1)):
            raise ShapeError(f"matrices of shape {shape} have no diagonal {each}")


def _row_shape(batch: TensorShape, longest: int | None, k: tuple[int, int]) -> TensorShape:
    count = k[1] - k[0] + 1
    return batch + ((longest,) if count == 1 else (count, longest))


def _as_rows(diagonals: Array, k: tuple[int, int]) -> Array:
    """Return diagonals with an axis for which of them it is, also where it is one."""
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
        raise ShapeError(f"{shape[-2]} diagonals are given for k={k}, which are {count}")


def _matrix_dims(longest: int, k: tuple[int, int], sizes: tuple[int, int]) -> tuple[int, int]:
    """Return the sizes of matrices with diagonals that long, the least where not given."""
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
    lower={"graphdef": "MatrixDiagPartV3"},
)
FROM_DIAGONALS = define(
    "from_diagonals",
    _made_kernel,
    _made_infer,
    grad=_made_grad,
    lower={"graphdef": "MatrixDiagV3"},
)
SET_DIAG = define(
    "set_diag",
    _set_kernel,
    _set_infer,
    grad=_set_grad,
    lower={"graphdef": "MatrixSetDiagV3"},
)
