"""Checks operands by inference before kernels run, since NumPy accepts more than ops do.

Each kind of operands (dtypes, shapes, attributes) is asked of once: what was found to fit is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array

if TYPE_CHECKING:
    from runtime.ops.op import Op

# So many kinds are remembered; a program whose shapes keep changing begins anew.
_MOST = 4096
_fitting: set[Any] = set()
# What may be kept without keeping alive a graph or a function of the user's.
_PLAIN = frozenset((bool, int, float, str, bytes, DType, type(None)))


def check_operands(op: Op, arrays: Sequence[Array], attrs: Mapping[str, Any]) -> None:
    """Raise what the inference of `op` has to say against operands; a kernel may not see it.

    Raises:
        OpError: the dtypes, ranks or shapes are none the op takes.
    """
    key: list[Any] = [op.name]
    for array in arrays:
        if not isinstance(array, np.ndarray):
            return  # A variable, which is what it was when the op was recorded.
        key.append(array.dtype.num)
        key.append(array.shape)
    for value in attrs.values():
        if not _is_plain(value):
            op.infer(*map(TensorSpec.of_array, arrays), **attrs)
            return
        key.append(value)
    known = tuple(key)
    if known in _fitting:
        return
    op.infer(*map(TensorSpec.of_array, arrays), **attrs)
    if len(_fitting) >= _MOST:
        _fitting.clear()
    _fitting.add(known)


def _is_plain(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in _PLAIN
