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

    cholesky: of.Cholesky
    cross: of.Vecdot
    det: of.UnaryFunction
    diagonal: of.Diagonal
    eigh: of.Eigh
    eigvalsh: of.UnaryFunction
    inv: of.UnaryFunction
    matmul: of.BinaryFunction
    matrix_norm: of.MatrixNorm
    matrix_power: of.MatrixPower
    matrix_rank: of.WithTolerance
    matrix_transpose: of.UnaryFunction
    outer: of.BinaryFunction
    pinv: of.WithTolerance
    qr: of.QR
    slogdet: of.Slogdet
    solve: of.BinaryFunction
    svd: of.SVD
    svdvals: of.UnaryFunction
    tensordot: of.Tensordot
    trace: of.Trace
    vecdot: of.Vecdot
    vector_norm: of.VectorNorm
