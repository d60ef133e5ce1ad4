"""Matrices: products, factorizations, solvers, norms and diagonals."""
