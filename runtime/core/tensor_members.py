"""Properties of tensors that are imported on first use: `x.T`, `x.mT`, `x.size`."""

from __future__ import annotations

from typing import Any

from runtime.errors import ShapeError
from runtime.ops.linalg.matrices import matrix_transpose, transpose


def transposed(self: Any) -> Any:
    """Return a matrix with rows for columns: `x.T`; ShapeError unless the rank is 2."""
    if self.shape.rank not in (None, 2):
        raise ShapeError(f"x.T is for matrices, and this has shape {self.shape}: rt.transpose(x)")
    return transpose(self)


def matrices_transposed(self: Any) -> Any:
    """Return each matrix with rows for columns: `x.mT`; ShapeError if there is none."""
    return matrix_transpose(self)


def size(self: Any) -> int:
    """Return the number of elements: `x.size`; AttributeError where only the run knows it."""
    known = self.shape.num_elements()
    if known is None:
        # What Python asks then says what to write.
        raise AttributeError("size")
    return int(known)
