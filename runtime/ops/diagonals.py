"""Diagonals of matrices: made into one, taken out, and all but some of them cut off."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import infer
from runtime.ops.backward import matrices as backward
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define
from runtime.spec import TensorSpec
from runtime.tensor import Array, Tensor


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
    rows, columns = np.ogrid[: x.shape[-2], : x.shape[-1]]
    low = (num_lower < 0) | (rows - columns <= num_lower)
    return np.where(low & ((num_upper < 0) | (columns - rows <= num_upper)), x, x.dtype.type(0))


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
    infer.same,
    grad=backward.band_part,
    lower={"graphdef": "MatrixBandPart"},
)


def diag(diagonal: Any, name: str | None = None) -> Tensor:
    """Return square matrices with the last axis of `diagonal` on the diagonal, 0 elsewhere.

    >>> print(diag([1, 2]))
    rt.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    result: Tensor = apply(DIAG, (to_tensor(diagonal),))
    return result


def diag_part(input: Any, name: str | None = None) -> Tensor:
    """Return the diagonals of matrices.

    >>> print(diag_part([[1, 2], [3, 4]]))
    rt.Tensor([1 4], shape=(2,), dtype=int32)
    """
    result: Tensor = apply(DIAG_PART, (to_tensor(input),))
    return result


def band_part(input: Any, num_lower: int, num_upper: int, name: str | None = None) -> Tensor:
    """Return matrices in which all but that many diagonals are 0; a negative number keeps all.

    >>> print(band_part([[1, 2], [3, 4]], -1, 0))
    rt.Tensor(
    [[1 0]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    attrs = {"num_lower": int(num_lower), "num_upper": int(num_upper)}
    result: Tensor = apply(BAND_PART, (to_tensor(input),), **attrs)
    return result
