"""Inputs for factorisations and functions of matrices."""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import int32, int64
from tests.laws.op_samples import BATCH, MATRIX, SQUARE, case, f

THREE = f([[2.0, 0.5, -0.3], [0.4, -3.0, 0.8], [-0.6, 0.9, 1.2]])
TALL = f([[1.0, 0.4], [-0.5, 2.0], [0.3, 0.7]])
MANY = f(np.stack([THREE, THREE.T * 0.5 + np.eye(3)]))
COMPLEX = (THREE + 0.3j * THREE.T).astype(np.complex64)

SAMPLES = [
    *(
        case(op, matrix, full_matrices=False)
        for op in ("qr", "svd")
        for matrix in (THREE, TALL, MATRIX, MANY)
    ),
    case("qr", TALL, full_matrices=True, smooth=False),
    case("svd", BATCH, full_matrices=True, smooth=False),
    case("svd", COMPLEX, full_matrices=False),
    *(case("singular_values", matrix) for matrix in (THREE, TALL, MATRIX)),
    *(case(op, matrix) for op in ("eigh", "eigvalsh") for matrix in (SQUARE, MANY, COMPLEX)),
    *(case(op, matrix) for op in ("eig", "eigvals") for matrix in (THREE, MANY)),
    *(case("lu", matrix, output_idx_type=int32) for matrix in (THREE, MANY)),
    case("lu", SQUARE, output_idx_type=int64),
    *(case("matrix_exponential", matrix) for matrix in (SQUARE, MANY)),
    case("matrix_exponential", f([[9.0, 3.0], [-4.0, -7.0]])),
    case("matrix_square_root", SQUARE),
    case("matrix_square_root", f(np.stack([SQUARE, SQUARE + 0.25 * np.eye(2)]))),
    *(case("log_matrix_determinant", matrix) for matrix in (THREE, MANY, COMPLEX)),
    *(case("pseudo_inverse", matrix, rcond=None) for matrix in (THREE, TALL, MATRIX)),
    case("pseudo_inverse", MANY, rcond=1e-4),
    case("diagonals", MATRIX, k=(1, 1), padding=0, align="RIGHT_LEFT"),
    case("diagonals", BATCH, k=(-1, 2), padding=9, align="LEFT_RIGHT"),
    case("from_diagonals", MATRIX, k=(-1, -1), sizes=(-1, -1), padding=0, align="RIGHT_LEFT"),
    case("from_diagonals", MATRIX, k=(1, 2), sizes=(4, 4), padding=9, align="LEFT_LEFT"),
    case("set_diag", MATRIX, f(7.0, 8.0), k=(0, 0), align="RIGHT_LEFT"),
    case("set_diag", BATCH, BATCH[:, :2, :3] * 2, k=(-1, 0), align="RIGHT_RIGHT"),
]
