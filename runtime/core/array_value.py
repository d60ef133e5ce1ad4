"""Arrays as attributes of nodes: hashable, comparable, with a deterministic text."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from runtime.core.dtypes import dtype_of_array

SHOWN_ELEMENTS = 16


class ArrayValue:
    """A frozen array, equal to another one of the same dtype, shape and bits.

    >>> ArrayValue(np.array([1, 2], np.int32))
    [1, 2]: int32
    """

    __slots__ = ("_key", "array")

    array: np.ndarray[Any, Any]

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self._key: tuple[Any, ...] | None = None

    def key(self) -> tuple[Any, ...]:
        """Return the key that equality and hash use."""
        if self._key is None:
            self._key = (self.array.dtype.num, self.array.shape, self._content())
        return self._key

    def _content(self) -> Any:
        if dtype_of_array(self.array).kind in "OV":
            return tuple(self.array.ravel().tolist())
        return self.array.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayValue) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        dtype = dtype_of_array(self.array).name
        if self.array.size <= SHOWN_ELEMENTS:
            return f"{_nested(self.array)}: {dtype}"
        return f"<{self.array.shape} crc32:{self._digest()}>: {dtype}"

    def _digest(self) -> str:
        content = self._content()
        raw = repr(content).encode() if isinstance(content, tuple) else content
        return f"{crc32(raw):08x}"


def _nested(array: np.ndarray[Any, Any]) -> str:
    if array.ndim == 0:
        value = array[()]
        return repr(value) if isinstance(value, bytes) else str(value)
    rows = (_nested(array[i, ...]) for i in range(len(array)))
    return f"[{', '.join(rows)}]"
