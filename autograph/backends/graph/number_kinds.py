"""Which type of Python a tensor stands for, if it is a number of Python that became state."""

from __future__ import annotations

import runtime as rt


def kind_of(value: object) -> type:
    """Return `bool`, `int`, `float` or `complex` for a weak scalar; the type of anything else.

    A loop or branch carries the numbers of a program as weak tensors; whoever asks such a number
    for its type means that of Python.
    """
    if not isinstance(value, rt.SymbolicTensor) or not value.weak or value.shape.rank != 0:
        return type(value)
    dtype = value.dtype
    if dtype.is_bool:
        return bool
    if dtype.is_integer:
        return int
    return float if dtype.is_floating else complex if dtype.is_complex else type(value)
