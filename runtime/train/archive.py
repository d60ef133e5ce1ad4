"""The file of a checkpoint: a header in JSON, and the arrays one after the other.

    RTCKPT01 | length of the header | its crc32 | header | arrays

Numbers are little-endian. Nothing in a file is code, and nothing of it is run. A crash while a file
is written leaves the old one (`runtime/files.py`).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any
from zlib import crc32

import numpy as np

from runtime.dtypes import BY_NAME, DType, dtype_of_array
from runtime.errors import DataLossError, DTypeError, NotFoundError, PermissionDeniedError
from runtime.files import write_atomically
from runtime.tensor import Array

SUFFIX = ".ckpt"
_MAGIC = b"RTCKPT01"
_HEAD = struct.Struct("<8sQI")
_ENDS = struct.Struct("<q")


def write(prefix: str, graph: Any, arrays: Mapping[str, Array]) -> None:
    """Write a checkpoint.

    Args:
        prefix: the path without the ending.
        graph: what JSON can hold.
        arrays: by their keys.

    Raises:
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: it cannot be written.
    """
    write_atomically(prefix + SUFFIX, packed(graph, arrays))


def packed(graph: Any, arrays: Mapping[str, Array]) -> bytes:
    """Return what is in a file; arguments are those of `write`."""
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
    """Return graph and arrays of a checkpoint.

    Raises:
        NotFoundError: there is no such file.
        DataLossError: it is damaged, or no checkpoint.
    """
    return read_file(prefix + SUFFIX, prefix)


def read_file(path: str, name: str) -> tuple[Any, dict[str, Array]]:
    """Return graph and arrays of a file that errors call by a name; they are those of `read`."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise NotFoundError(f"there is no checkpoint '{name}' (no file '{path}')") from None
    except PermissionError:
        raise PermissionDeniedError(f"the checkpoint '{path}' may not be read") from None
    try:
        return _parsed(data)
    except (ValueError, KeyError, TypeError, struct.error, RecursionError) as error:
        raise DataLossError(f"'{path}' is damaged or no checkpoint: {error}") from None


def _raw(array: Array, key: str) -> bytes:
    dtype = dtype_of_array(array)
    if dtype.is_variant:
        raise DTypeError(f"'{key}' is a variant, which holds an object: no file keeps that")
    if not dtype.is_string:
        # Big-endian machines turn the bytes around.
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
        raise ValueError("its header is not what was written")
    parsed = json.loads(header)
    body = memoryview(data)[_HEAD.size + length :]
    arrays = {key: _array(key, body, *entry) for key, entry in parsed["arrays"].items()}
    if len(body) != sum(entry[3] for entry in parsed["arrays"].values()):
        raise ValueError("there is more in it than was written")
    return parsed["graph"], arrays


def _array(
    key: str, body: memoryview, name: str, shape: list[int], offset: int, size: int, check: int
) -> Array:
    raw = bytes(body[offset : offset + size])
    if len(raw) != size or crc32(raw) != check:
        raise ValueError(f"the value of '{key}' is not what was written")
    dtype = BY_NAME[name]
    if dtype.is_string:
        return _texts(raw, int(np.prod(shape, dtype=np.int64))).reshape(shape)
    found = np.frombuffer(raw, _little(dtype)).reshape(shape)
    array: Array = found.astype(dtype.np_dtype)
    return array


def _texts(raw: bytes, count: int) -> Array:
    ends = np.frombuffer(raw, "<i8", count + 1).tolist()
    start = (count + 1) * _ENDS.size
    array = np.empty(count, object)
    for at, (first, last) in enumerate(zip(ends, ends[1:])):
        array[at] = raw[start + first : start + last]
    return array
