"""Linear algebra: the namespace `rt.linalg`."""

from __future__ import annotations

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
