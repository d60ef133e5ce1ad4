"""Linear algebra: the namespace `rt.linalg`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import door

if TYPE_CHECKING:
    from runtime.ops.clipping import global_norm as global_norm
    from runtime.ops.diagonals import band_part as band_part
    from runtime.ops.diagonals import diag as diag
    from runtime.ops.diagonals import diag_part as diag_part
    from runtime.ops.diagonals import set_diag as set_diag
    from runtime.ops.einsum import einsum as einsum
    from runtime.ops.einsum import tensordot as tensordot
    from runtime.ops.factorizations import eig as eig
    from runtime.ops.factorizations import eigh as eigh
    from runtime.ops.factorizations import eigvals as eigvals
    from runtime.ops.factorizations import eigvalsh as eigvalsh
    from runtime.ops.factorizations import qr as qr
    from runtime.ops.factorizations import svd as svd
    from runtime.ops.linalg import cholesky as cholesky
    from runtime.ops.linalg import det as det
    from runtime.ops.linalg import eye as eye
    from runtime.ops.linalg import inv as inv
    from runtime.ops.linalg import matmul as matmul
    from runtime.ops.linalg import matrix_transpose as matrix_transpose
    from runtime.ops.linalg import matvec as matvec
    from runtime.ops.linalg import solve as solve
    from runtime.ops.matrix_functions import expm as expm
    from runtime.ops.matrix_functions import matrix_rank as matrix_rank
    from runtime.ops.matrix_functions import pinv as pinv
    from runtime.ops.matrix_functions import slogdet as slogdet
    from runtime.ops.matrix_functions import sqrtm as sqrtm
    from runtime.ops.matrix_products import adjoint as adjoint
    from runtime.ops.matrix_products import cholesky_solve as cholesky_solve
    from runtime.ops.matrix_products import cross as cross
    from runtime.ops.matrix_products import logdet as logdet
    from runtime.ops.matrix_products import lstsq as lstsq
    from runtime.ops.matrix_products import trace as trace
    from runtime.ops.matrix_products import triangular_solve as triangular_solve
    from runtime.ops.neural import l2_normalize as l2_normalize
    from runtime.ops.norms import norm as norm
    from runtime.ops.norms import normalize as normalize
    from runtime.ops.tensor_diagonals import tensor_diag as tensor_diag
    from runtime.ops.tensor_diagonals import tensor_diag_part as tensor_diag_part
    from runtime.ops.triangular_factors import lu as lu
    from runtime.ops.triangular_factors import lu_matrix_inverse as lu_matrix_inverse
    from runtime.ops.triangular_factors import lu_reconstruct as lu_reconstruct
    from runtime.ops.triangular_factors import lu_solve as lu_solve
    from runtime.ops.tridiagonals import eigh_tridiagonal as eigh_tridiagonal
    from runtime.ops.tridiagonals import tridiagonal_matmul as tridiagonal_matmul
    from runtime.ops.tridiagonals import tridiagonal_solve as tridiagonal_solve
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.ops.clipping": "global_norm",
            "runtime.ops.diagonals": "band_part diag diag_part set_diag",
            "runtime.ops.einsum": "einsum tensordot",
            "runtime.ops.factorizations": "eig eigh eigvals eigvalsh qr svd",
            "runtime.ops.linalg": "cholesky det eye inv matmul matrix_transpose matvec solve",
            "runtime.ops.matrix_functions": "expm matrix_rank pinv slogdet sqrtm",
            "runtime.ops.matrix_products": (
                "adjoint cholesky_solve cross logdet lstsq trace triangular_solve"
            ),
            "runtime.ops.neural": "l2_normalize",
            "runtime.ops.norms": "norm normalize",
            "runtime.ops.tensor_diagonals": "tensor_diag tensor_diag_part",
            "runtime.ops.triangular_factors": "lu lu_matrix_inverse lu_reconstruct lu_solve",
            "runtime.ops.tridiagonals": "eigh_tridiagonal tridiagonal_matmul tridiagonal_solve",
        },
    )
