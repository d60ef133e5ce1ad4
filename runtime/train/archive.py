"""The checkpoint file format: a JSON header, then the arrays.

    RTCKPT01 | length of the header | its crc32 | header | arrays

Numbers are little-endian. A file contains no code. A crash during a write leaves the old file
intact (`runtime/core/files.py`).
"""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any
from zlib import crc32

import numpy as np

from runtime.core.dtypes import BY_NAME, DType, dtype_of_array
from runtime.core.files import write_atomically
from runtime.core.tensor import Array
from runtime.distribute.processes import process_index, wait_for_all
from runtime.errors import (
    DataLossError,
    DTypeError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
)

SUFFIX = ".ckpt"
_MAGIC = b"RTCKPT01"
_HEAD = struct.Struct("<8sQI")
_ENDS = struct.Struct("<q")


def write(prefix: str, graph: Any, arrays: Mapping[str, Array]) -> None:
    """Write a checkpoint; of several processes, the first writes it, and the others wait.

    Args:
        prefix: the path without the extension.
        graph: JSON data.
        arrays: the arrays by their keys.

    Raises:
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: it cannot be written.
    """
    if process_index() == 0:
        write_atomically(prefix + SUFFIX, packed(graph, arrays))
    wait_for_all(f"saved {prefix}")


def packed(graph: Any, arrays: Mapping[str, Array]) -> bytes:
    """Return the bytes of a file; the arguments are those of `write`."""
    entries, parts, offset = {}, [], 0
    for key, array in arrays.items():
        dtype, raw = dtype_of_array(array), _raw(array, key)
        entries[key] = [dtype.name, list(array.shape), offset, len(raw), crc32(raw)]
        parts.append(raw)
        offset += len(raw)
    header = json.dumps({"graph": graph, "arrays": entries}).encode()
    head = _HEAD.pack(_MAGIC, len(header), crc32(header))
    return b"".join([head, header, *parts])


def read(prefix: str) -> tuple[Any, dict[str, Array]]:
    """Return the graph and the arrays of a checkpoint.

    Raises:
        NotFoundError: there is no such file.
        DataLossError: it is damaged, or not a checkpoint.
    """
    return read_file(prefix + SUFFIX, prefix)


def read_file(path: str, name: str) -> tuple[Any, dict[str, Array]]:
    """Return the graph and the arrays of a file, as `read` does; errors call it `name`.

    Raises:
        NotFoundError, PermissionDeniedError: the file is missing, or may not be read.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise NotFoundError(f"there is no checkpoint '{name}' (no file '{path}')") from None
    except PermissionError:
        raise PermissionDeniedError(f"the checkpoint '{path}' may not be read") from None
    with intact(f"'{path}' is damaged or no checkpoint"):
        return _parsed(data)


@contextlib.contextmanager
def intact(
    words: str, others: tuple[type[Exception], ...] = (PermissionDeniedError,)
) -> Iterator[None]:
    """Raise DataLossError for any failure caused by a file's contents in the `with` block.

    The block may only read the file: no user code runs in it.

    Args:
        words: the beginning of the message.
        others: errors that are not about damage, but about the loader's permission and the like.

    >>> with intact("'x' is damaged"):
    ...     {}["key"]
    Traceback (most recent call last):
    runtime.errors.DataLossError: 'x' is damaged: KeyError 'key'
    """
    try:
        yield
    except others:
        raise
    except Exception as error:
        raise DataLossError(f"{words}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, OpError):
        return error.message
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error) if type(error) is ValueError else f"{type(error).__name__} {error}"


def _raw(array: Array, key: str) -> bytes:
    dtype = dtype_of_array(array)
    if dtype.is_variant:
        raise DTypeError(f"'{key}' is a variant, which holds an object: no file keeps that")
    if not dtype.is_string:
        # Big-endian machines swap the bytes.
        return np.ascontiguousarray(array).astype(_little(dtype), copy=False).tobytes()
    texts = [bytes(text) for text in array.ravel().tolist()]
    ends = np.cumsum([0, *map(len, texts)], dtype="<i8")
    return ends.tobytes() + b"".join(texts)


def _little(dtype: DType) -> Any:
    return dtype.np_dtype.newbyteorder("<") if dtype.np_dtype.kind in "iufcb" else dtype.np_dtype


def _parsed(data: bytes) -> tuple[Any, dict[str, Array]]:
    if len(data) < _HEAD.size:
        raise ValueError("it is too short")
    magic, length, check = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise ValueError("it begins with other bytes")
    header = data[_HEAD.size : _HEAD.size + length]
    if len(header) != length or crc32(header) != check:
        raise ValueError("its header is damaged")
    parsed = json.loads(header)
    body, offset = memoryview(data)[_HEAD.size + length :], 0
    arrays: dict[str, Array] = {}
    for key, entry in parsed["arrays"].items():
        # Entries must follow each other: shared bytes would let a small file fill the memory.
        if entry[2] != offset:
            raise ValueError(f"the value of '{key}' is not where it was written")
        arrays[key] = _array(key, body, *entry)
        offset += entry[3]
    if len(body) != offset:
        raise ValueError("there is more in it than was written")
    return parsed["graph"], arrays


def _array(
    key: str, body: memoryview, name: str, shape: list[int], offset: int, size: int, check: int
) -> Array:
    if not all(type(each) is int and each >= 0 for each in (offset, size, *shape)):
        raise ValueError(f"the value of '{key}' has no size")
    raw = bytes(body[offset : offset + size])
    if len(raw) != size or crc32(raw) != check:
        raise ValueError(f"the value of '{key}' is damaged")
    dtype, count = BY_NAME[name], prod(shape)
    if dtype.is_variant:
        raise ValueError(f"the value of '{key}' is a variant, which no file keeps")
    if dtype.is_string:
        return _texts(key, raw, count).reshape(shape)
    found = np.frombuffer(raw, _little(dtype)).reshape(shape)
    array: Array = found.astype(dtype.np_dtype)
    return array


def _texts(key: str, raw: bytes, count: int) -> Array:
    start = (count + 1) * _ENDS.size
    if len(raw) < start:
        raise ValueError(f"the value of '{key}' has fewer texts than it says")
    ends = np.frombuffer(raw, "<i8", count + 1)
    if ends[0] != 0 or ends[-1] != len(raw) - start or (ends[1:] < ends[:-1]).any():
        raise ValueError(f"the texts of '{key}' do not stand one after the other")
    array, texts = np.empty(count, object), raw[start:]
    for at, (first, last) in enumerate(zip(ends.tolist(), ends[1:].tolist())):
        array[at] = texts[first:last]
    return array
