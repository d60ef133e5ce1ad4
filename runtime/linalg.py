"""Linear algebra: the namespace `rt.linalg`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.ops.linalg.clip_by_norm import global_norm as global_norm
    from runtime.ops.linalg.diagonals import band_part as band_part
    from runtime.ops.linalg.diagonals import diag as diag
    from runtime.ops.linalg.diagonals import diag_part as diag_part
    from runtime.ops.linalg.diagonals import set_diag as set_diag
    from runtime.ops.linalg.diagonals import tensor_diag as tensor_diag
    from runtime.ops.linalg.diagonals import tensor_diag_part as tensor_diag_part
    from runtime.ops.linalg.einsum import einsum as einsum
    from runtime.ops.linalg.einsum import tensordot as tensordot
    from runtime.ops.linalg.factorizations import eig as eig
    from runtime.ops.linalg.factorizations import eigh as eigh
    from runtime.ops.linalg.factorizations import eigvals as eigvals
    from runtime.ops.linalg.factorizations import eigvalsh as eigvalsh
    from runtime.ops.linalg.factorizations import qr as qr
    from runtime.ops.linalg.factorizations import svd as svd
    from runtime.ops.linalg.matrices import adjoint as adjoint
    from runtime.ops.linalg.matrices import cholesky as cholesky
    from runtime.ops.linalg.matrices import cross as cross
    from runtime.ops.linalg.matrices import det as det
    from runtime.ops.linalg.matrices import eye as eye
    from runtime.ops.linalg.matrices import inv as inv
    from runtime.ops.linalg.matrices import matmul as matmul
    from runtime.ops.linalg.matrices import matrix_transpose as matrix_transpose
    from runtime.ops.linalg.matrices import matvec as matvec
    from runtime.ops.linalg.matrices import solve as solve
    from runtime.ops.linalg.matrices import trace as trace
    from runtime.ops.linalg.matrix_functions import expm as expm
    from runtime.ops.linalg.matrix_functions import logdet as logdet
    from runtime.ops.linalg.matrix_functions import matrix_rank as matrix_rank
    from runtime.ops.linalg.matrix_functions import pinv as pinv
    from runtime.ops.linalg.matrix_functions import slogdet as slogdet
    from runtime.ops.linalg.matrix_functions import sqrtm as sqrtm
    from runtime.ops.linalg.norms import l2_normalize as l2_normalize
    from runtime.ops.linalg.norms import norm as norm
    from runtime.ops.linalg.norms import normalize as normalize
    from runtime.ops.linalg.solvers import cholesky_solve as cholesky_solve
    from runtime.ops.linalg.solvers import lstsq as lstsq
    from runtime.ops.linalg.solvers import triangular_solve as triangular_solve
    from runtime.ops.linalg.triangular_factors import lu as lu
    from runtime.ops.linalg.triangular_factors import lu_matrix_inverse as lu_matrix_inverse
    from runtime.ops.linalg.triangular_factors import lu_reconstruct as lu_reconstruct
    from runtime.ops.linalg.triangular_factors import lu_solve as lu_solve
    from runtime.ops.linalg.tridiagonals import eigh_tridiagonal as eigh_tridiagonal
    from runtime.ops.linalg.tridiagonals import tridiagonal_matmul as tridiagonal_matmul
    from runtime.ops.linalg.tridiagonals import tridiagonal_solve as tridiagonal_solve
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.ops.linalg.clip_by_norm": "global_norm",
            "runtime.ops.linalg.diagonals": (
                "band_part diag diag_part set_diag tensor_diag tensor_diag_part"
            ),
            "runtime.ops.linalg.einsum": "einsum tensordot",
            "runtime.ops.linalg.factorizations": "eig eigh eigvals eigvalsh qr svd",
            "runtime.ops.linalg.matrices": (
                "adjoint cholesky cross det eye inv matmul matrix_transpose matvec solve trace"
            ),
            "runtime.ops.linalg.solvers": "cholesky_solve lstsq triangular_solve",
            "runtime.ops.linalg.matrix_functions": "expm logdet matrix_rank pinv slogdet sqrtm",
            "runtime.ops.linalg.norms": "l2_normalize norm normalize",
            "runtime.ops.linalg.triangular_factors": "lu lu_matrix_inverse lu_reconstruct lu_solve",
            "runtime.ops.linalg.tridiagonals": (
                "eigh_tridiagonal tridiagonal_matmul tridiagonal_solve"
            ),
        },
    )
