"""The extension `linalg` of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from runtime.array_api.functions import wrapped
from runtime.array_api.names import LINALG

globals().update({name: wrapped(getattr(np.linalg, name), name) for name in LINALG.split()})
__all__ = sorted(LINALG.split())


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from runtime.array_api import signatures as of

    cholesky: of.CholeskyFunction
    cross: of.VecdotFunction
    det: of.UnaryFunction
    diagonal: of.DiagonalFunction
    eigh: of.EighFunction
    eigvalsh: of.UnaryFunction
    inv: of.UnaryFunction
    matmul: of.BinaryFunction
    matrix_norm: of.MatrixNormFunction
    matrix_power: of.MatrixPowerFunction
    matrix_rank: of.WithToleranceFunction
    matrix_transpose: of.UnaryFunction
    outer: of.BinaryFunction
    pinv: of.WithToleranceFunction
    qr: of.QRFunction
    slogdet: of.SlogdetFunction
    solve: of.BinaryFunction
    svd: of.SVDFunction
    svdvals: of.UnaryFunction
    tensordot: of.TensordotFunction
    trace: of.TraceFunction
    vecdot: of.VecdotFunction
    vector_norm: of.VectorNormFunction
