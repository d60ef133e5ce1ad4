"""Keys and values of tables in text files: one pair a line, in columns, whole lines or numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.files import file_error
from runtime.core.tensor import Array
from runtime.errors import InvalidArgumentError

WHOLE_LINE = -2
"""The index of a column that is the whole line."""
LINE_NUMBER = -1
"""The index of a column that is the number of the line, from 0."""


def read_columns(
    path: str,
    columns: Sequence[tuple[int, DType]],
    delimiter: str = "\t",
    most: int | None = None,
    offset: int = 0,
) -> list[Array]:
    r"""Return columns of a text file, an array of shape (lines,) for each.

    Args:
        path: the file; its lines end with `\n` or `\r\n`, and none is empty.
        columns: the index and the dtype of each column; `WHOLE_LINE` and `LINE_NUMBER` are indices.
        delimiter: one letter, which separates columns.
        most: the number of lines that are read; None for all of them.
        offset: is added to the numbers of lines in columns after the first one.

    Raises:
        NotFoundError, PermissionDeniedError: the file cannot be read.
        InvalidArgumentError: a line is empty, has too few columns, or holds another value; or the
            file has fewer lines than `most`.

    >>> import os, tempfile
    >>> from runtime.core.dtypes import int64, string
    >>> path = os.path.join(tempfile.mkdtemp(), "ages.tsv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("ann\t31\nbob\t27\n")
    >>> [each.tolist() for each in read_columns(path, [(0, string), (1, int64)])]
    [[b'ann', b'bob'], [31, 27]]
    """
    separator = delimiter.encode()
    found: list[list[Any]] = [[] for _ in columns]
    for number, line in enumerate(_lines(path, most)):
        parts = line.split(separator)
        for place, (index, dtype) in enumerate(columns):
            if index == LINE_NUMBER:
                found[place].append(number + (offset if place else 0))
            elif index == WHOLE_LINE:
                found[place].append(line)
            elif index >= len(parts):
                raise _damaged(path, number, f"has {len(parts)} columns, and {index} is read")
            else:
                found[place].append(_value(parts[index], dtype, path, number))
    return [np.array(each, dtype.np_dtype) for each, (_, dtype) in zip(found, columns)]


def _lines(path: str, most: int | None) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise file_error(error, path, "read") from None
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    if most is not None and len(lines) < most:
        raise InvalidArgumentError(f"'{path}' has {len(lines)} lines, and vocab_size is {most}")
    for number, line in enumerate(lines[:most]):
        text = line.replace(b"\r", b"")
        if not text:
            raise _damaged(path, number, "is empty")
        yield text


def _value(text: bytes, dtype: DType, path: str, number: int) -> Any:
    if dtype.is_string:
        return text
    try:
        value = float(text) if dtype.is_floating else int(text)
        return dtype.np_dtype.type(value)
    except (ValueError, OverflowError):
        shown = text.decode("utf-8", "replace")
        raise _damaged(path, number, f"has {shown!r}, which is not a valid {dtype.name}") from None


def _damaged(path: str, number: int, told: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"'{path}': line {number + 1} {told}")
