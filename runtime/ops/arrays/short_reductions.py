"""Reductions of short rows: several rows are reduced together as one long row.

    x of shape (25088, 32)    as (784, 1024)    sum over axis 0: 1024    as (32, 32)    sum: 32

So sums of floats are rounded less often, too.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from runtime.core.tensor import Array

# The length of combined rows, and the row length from which on combining is not faster.
LINE, _WIDE = 1024, 256
# The least number of rows that are combined, and of reductions that this must save.
_MANY, _LINES = 64, 1000
# Rows up to this length are added by `einsum`, if there are more of them than the least number.
_SHORT, _LEAST = 32, 256


def folded(join: np.ufunc, x: Array, axis: Any, keepdims: bool) -> Array | None:
    """Return a reduction along axes by a commutative function of two elements.

    Return None if NumPy is as fast: the axes are not adjacent, or rows are long.

    >>> folded(np.add, np.ones((1500, 2)), (0,), False)
    array([1500., 1500.])
    >>> folded(np.add, np.ones((2, 1500)), (0,), False) is None
    True
    """
    if x.size < LINE or x.dtype.char not in "fd" or not x.flags.c_contiguous:
        return None
    if x.shape[-1] > _SHORT and x.size < _LINES * x.shape[-1]:
        return None  # The most frequent case is checked first.
    if isinstance(axis, int):
        axis = (axis,)
    axes = range(x.ndim) if axis is None else sorted(at + x.ndim * (at < 0) for at in axis)
    if not axes or axes[-1] >= x.ndim or list(axes) != list(range(axes[0], axes[-1] + 1)):
        return None
    before, after = x.shape[: axes[0]], x.shape[axes[-1] + 1 :]
    count, width = prod(x.shape[axes[0] : axes[-1] + 1]), prod(after)
    rows = x.reshape(prod(before), count, width)
    if width == 1 and join is np.add and 1 < count <= _SHORT and len(rows) > _LEAST:
        found = np.einsum("ij->i", rows[:, :, 0])
    elif 1 < width <= _WIDE and count >= _MANY and len(rows) * count >= _LINES:
        found = _of_lines(join, rows)
    else:
        return None
    return found.reshape(*before, *((1,) * len(axes) if keepdims else ()), *after)


def _of_lines(join: np.ufunc, rows: Array) -> Array:
    lead, count, width = rows.shape
    by = min(LINE // width, count // 8)
    whole = count - count % by
    item = rows.itemsize
    lines = np.lib.stride_tricks.as_strided(
        rows,
        (lead, whole // by, by * width),
        (count * width * item, by * width * item, item),
        writeable=False,
    )
    total = join.reduce(lines, 1).reshape(lead, by, width)
    if whole < count:
        some = total[:, : count - whole]
        join(some, rows[:, whole:], out=some)
    return np.asarray(join.reduce(total, 1))
