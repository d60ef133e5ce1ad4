"""Linear algebra: the namespace `rt.linalg`."""

from __future__ import annotations

from runtime.ops.clipping import global_norm as global_norm
from runtime.ops.diagonals import band_part as band_part
from runtime.ops.diagonals import diag as diag
from runtime.ops.diagonals import diag_part as diag_part
from runtime.ops.einsum import einsum as einsum
from runtime.ops.einsum import norm as norm
from runtime.ops.einsum import tensordot as tensordot
from runtime.ops.linalg import cholesky as cholesky
from runtime.ops.linalg import det as det
from runtime.ops.linalg import eye as eye
from runtime.ops.linalg import inv as inv
from runtime.ops.linalg import matmul as matmul
from runtime.ops.linalg import matrix_transpose as matrix_transpose
from runtime.ops.linalg import matvec as matvec
from runtime.ops.linalg import solve as solve
from runtime.ops.matrix_products import adjoint as adjoint
from runtime.ops.matrix_products import cholesky_solve as cholesky_solve
from runtime.ops.matrix_products import cross as cross
from runtime.ops.matrix_products import logdet as logdet
from runtime.ops.matrix_products import lstsq as lstsq
from runtime.ops.matrix_products import trace as trace
from runtime.ops.matrix_products import triangular_solve as triangular_solve
from runtime.ops.neural import l2_normalize as l2_normalize
