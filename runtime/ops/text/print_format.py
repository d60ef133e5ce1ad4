"""The format of `print_`: short numbers that round-trip, and the edges of large arrays.

[0 1 2 ... 7 8 9]        [[1 2]        ["a" "b"]        [1 0]
                          [3 4]]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array, Tensor
from runtime.errors import ArgumentValueError
from runtime.ops.convert import is_tensor_like, to_tensor

Pieces: TypeAlias = tuple[str | None, ...]
EDGE_ITEMS = 3
# By size of the float in bytes: the digits tried first, and those that always round-trip.
_DIGITS = {2: (6, 9), 4: (6, 9), 8: (15, 17), 16: (15, 17)}


@dataclass(eq=False, repr=False)
class PrintTemplate:
    """Builds the text of a print, with gaps (None) for tensors."""

    pieces: list[str | None] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)

    def add(self, value: object) -> None:
        """Append an argument: a string unchanged, other values as `repr`, with gaps for tensors."""
        if isinstance(value, str):
            self.pieces.append(value)
        else:
            self._add_nested(value)

    def frozen(self) -> Pieces:
        """Return the pieces, neighbouring texts joined."""
        joined: list[str | None] = []
        for piece in self.pieces:
            if piece is not None and joined and joined[-1] is not None:
                joined[-1] += piece
            elif piece != "":
                joined.append(piece)
        return tuple(joined)

    def _add_nested(self, value: object) -> None:
        if is_tensor_like(value):
            self.pieces.append(None)
            self.tensors.append(to_tensor(value))
        elif type(value) in (list, tuple) or isinstance(value, Mapping) or _is_shape(value):
            self._add_container(value)
        else:
            self.pieces.append(str(value) if isinstance(value, np.generic) else repr(value))

    def _add_container(self, value: Any) -> None:
        opening, closing = brackets(value)
        self.pieces.append(opening)
        for position, (key, item) in enumerate(entries(value)):
            self.pieces.append(", " if position else "")
            self.pieces.append(key)
            self._add_nested(item)
        self.pieces.append(closing)


def _is_shape(value: object) -> bool:
    return isinstance(value, TensorShape) and value.rank is not None


def brackets(value: Any) -> tuple[str, str]:
    """Return the texts before and after the items of a container.

    >>> brackets((1,))
    ('(', ',)')
    """
    if isinstance(value, Mapping):
        return "{", "}"
    if isinstance(value, TensorShape):
        return "TensorShape([", "])"  # Dimensions may be tensors while tracing.
    if isinstance(value, list):
        return "[", "]"
    return "(", ",)" if len(value) == 1 else ")"


def entries(value: Any) -> Iterator[tuple[str, object]]:
    """Return the items of a container, each with the text before it.

    >>> list(entries({"a": 1}))
    [("'a': ", 1)]
    """
    if isinstance(value, Mapping):
        return ((f"{key!r}: ", item) for key, item in value.items())
    return (("", item) for item in value)


def fill(pieces: Pieces, arrays: tuple[Array, ...], summarize: int) -> str:
    """Return the text of a template with `arrays` in its gaps.

    >>> fill(("x: ", None), (np.arange(10),), 3)
    'x: [0 1 2 ... 7 8 9]'
    """
    values = iter(arrays)
    return "".join(
        array_text(next(values), summarize) if piece is None else piece for piece in pieces
    )


def check_gaps(pieces: Pieces, count: int) -> None:
    """Raise ArgumentValueError unless a template has a gap for each of `count` tensors."""
    if pieces.count(None) != count:
        raise ArgumentValueError(f"a text with {pieces.count(None)} gaps is given {count} tensors")


def array_text(array: Array, summarize: int = EDGE_ITEMS) -> str:
    """Return an array as text with `summarize` elements at each end of a dimension (-1: all)."""
    form = _element_form(array.dtype)
    edge = max(array.shape, default=0) if summarize < 0 else summarize
    return _nested_text(array, 0, edge, form)


def _nested_text(array: Array, depth: int, edge: int, form: Callable[[Any], str]) -> str:
    if array.ndim == 0:
        return form(array[()])
    shown = [_nested_text(row, depth + 1, edge, form) for row in _edges(array, edge)]
    if len(array) > 2 * edge:
        shown.insert(edge, "...")
    return f"[{_separator(array.ndim, depth).join(shown)}]"


def _edges(array: Array, edge: int) -> list[Array]:
    size = len(array)
    if size <= 2 * edge:
        return [array[row, ...] for row in range(size)]
    return [array[row, ...] for row in (*range(edge), *range(size - edge, size))]


def _separator(dims: int, depth: int) -> str:
    """Return the text between rows: line ends, one per inner dimension, and an indentation."""
    return " " if dims == 1 else "\n" * (dims - 1) + " " * (depth + 1)


def _element_form(dtype: np.dtype[Any]) -> Callable[[Any], str]:
    if dtype.kind == "b":
        return lambda value: str(int(value))
    if dtype.kind == "f":
        return float_text
    if dtype.kind == "c":
        return lambda value: f"({float_text(value.real)},{float_text(value.imag)})"
    if dtype.kind == "O":
        return lambda value: f'"{bytes_text(value)}"'
    if dtype.names is not None:
        return lambda value: str(value.item()[0])
    if dtype.kind == "V":
        return lambda value: float_text(np.float32(value))
    return str


def float_text(value: np.floating[Any]) -> str:
    """Return the short decimal form if it reads back as the same number, else the long one.

    >>> float_text(np.float32(0.112)), float_text(np.float32(2.332683563))
    ('0.112', '2.33268356')
    """
    few, enough = _DIGITS[value.dtype.itemsize]
    short = f"{value:.{few}g}"
    return short if not np.isfinite(value) or type(value)(short) == value else f"{value:.{enough}g}"


def bytes_text(value: bytes | str) -> str:
    """Return a string element as text; bytes that are not UTF-8 are escaped."""
    return value if isinstance(value, str) else value.decode("utf-8", "backslashreplace")
