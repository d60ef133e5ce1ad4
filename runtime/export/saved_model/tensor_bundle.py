"""Tensor bundles: TensorFlow's checkpoint files, without TensorFlow.

    variables.index                 a table: for each key the dtype, shape and place of a tensor
    variables.data-00000-of-00001   the bytes of the tensors

Numbers are little-endian. Strings are stored as their lengths, a checksum of these, and their
bytes. The rules are those of TensorFlow's `tensor_bundle.h`.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, BinaryIO

import numpy as np

from runtime.core.crc32c import crc32c, masked, masked_crc32c
from runtime.core.dtypes import dtype_of_array
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array
from runtime.errors import DataLossError, NotFoundError
from runtime.export.graphdef.attribute_values import shape_proto
from runtime.export.graphdef.data_types import dtype_of_number, number_of
from runtime.export.graphdef.messages import VersionDef
from runtime.export.protobuf import varint
from runtime.export.saved_model.messages import BundleEntryProto, BundleHeaderProto
from runtime.export.saved_model.sstable import read_sstable, sstable, varint_at

_HEADER = BundleHeaderProto(num_shards=1, version=VersionDef(producer=1))
_SHARD = "{}.data-{:05d}-of-{:05d}"
_MOST_SHARDS = 10_000
_LITTLE_ENDIAN = 0
# The bytes that are copied at a time, so that large tensors need no second copy in memory.
_PART = 1 << 20


def write_bundle(prefix: str, tensors: Mapping[str, Array]) -> list[str]:
    """Write tensors as a bundle; return the paths of its two files.

    Args:
        prefix: the path without the endings, in a folder that exists.
        tensors: arrays by their keys; arrays of objects hold texts or bytes.
    """
    entries = {b"": _HEADER.SerializeToString()}
    shard, index = _SHARD.format(prefix, 0, 1), f"{prefix}.index"
    with open(shard, "wb") as file:
        for key in sorted(tensors):
            entry = _write_tensor(file, tensors[key])
            entries[key.encode()] = entry.SerializeToString()
        _finish(file)
    with open(index, "wb") as file:
        file.write(sstable(entries))
        _finish(file)
    return [index, shard]


def _finish(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _write_tensor(file: BinaryIO, array: Array) -> BundleEntryProto:
    dtype, offset = dtype_of_array(array), file.tell()
    if dtype.is_string:
        content, checksum = _strings(array)
        file.write(content)
    else:
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        checksum = masked(_copied(_bytes_of(little), file.write))
    return BundleEntryProto(
        dtype=number_of(dtype),
        shape=shape_proto(TensorShape.of(array.shape)),
        offset=offset,
        size=file.tell() - offset,
        crc32c=checksum,
    )


def _bytes_of(array: Array) -> memoryview:
    """Return the bytes of a contiguous array, without a copy."""
    return memoryview(array.reshape(-1).view(np.uint8))  # type: ignore[arg-type]


def _copied(content: memoryview, copy: Callable[[memoryview], Any]) -> int:
    """Copy bytes from or to a file, a part at a time; return their checksum."""
    checksum = 0
    for start in range(0, len(content), _PART):
        part = content[start : start + _PART]
        copy(part)
        checksum = crc32c(part, checksum)
    return checksum


def _strings(array: Array) -> tuple[bytes, int]:
    """Return the stored form of texts, and its checksum, which has the lengths as numbers."""
    items = [each.encode() if isinstance(each, str) else each for each in array.ravel().tolist()]
    sizes = b"".join(map(_size, items))
    check = struct.pack("<I", masked_crc32c(sizes))
    content = b"".join(items)
    stored = b"".join(varint(len(each)) for each in items) + check + content
    return stored, masked_crc32c(sizes + check + content)


def _size(item: bytes) -> bytes:
    return struct.pack("<I" if len(item) < 1 << 32 else "<Q", len(item))


# -- reading ---------------------------------------------------------------------------------------


class Bundle:
    """The tensors of a bundle; each is read when it is asked for.

    Args:
        prefix: the path without the endings.

    Raises:
        NotFoundError: there is no such bundle.
        DataLossError: its index is damaged.

    Example:
        >>> import tempfile
        >>> prefix = tempfile.mkdtemp() + "/variables"
        >>> _ = write_bundle(prefix, {"x": np.array([1, 2]), "name": np.array("a", object)})
        >>> bundle = Bundle(prefix)
        >>> list(bundle), bundle.array("x").tolist(), bundle.array("name").item()
        (['name', 'x'], [1, 2], b'a')
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        entries = dict(read_sstable(_read(f"{prefix}.index")))
        header = BundleHeaderProto.FromString(entries.pop(b"", b""))
        if not 0 < header.num_shards <= _MOST_SHARDS or header.endianness != _LITTLE_ENDIAN:
            raise DataLossError(f"'{prefix}.index' has no valid header")
        self._shards = header.num_shards
        self._entries = {
            _text(key): BundleEntryProto.FromString(value) for key, value in entries.items()
        }
        self._check_places()

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def array(self, key: str) -> Array:
        """Return the tensor under a key.

        Raises:
            NotFoundError: there is no such key.
            DataLossError: the tensor is damaged.
            UnimplementedError: its dtype is not known here.
        """
        if key not in self._entries:
            raise NotFoundError(f"the bundle '{self._prefix}' has no tensor '{key}'")
        entry = self._entries[key]
        dtype, shape = dtype_of_number(entry.dtype), [dim.size for dim in entry.shape.dim]
        if min(shape, default=0) < 0 or entry.shape.unknown_rank:
            raise DataLossError(f"the shape of '{key}' is not known")
        with self._opened_at(key, entry) as file:
            if dtype.is_string:
                return _read_strings(key, file.read(entry.size), shape, entry.crc32c)
            little = dtype.np_dtype.newbyteorder("<")
            if entry.size != prod(shape) * little.itemsize:
                raise DataLossError(
                    f"'{key}' has {entry.size} bytes, which its shape does not need"
                )
            found = np.empty(shape, little)
            if masked(_copied(_bytes_of(found), file.readinto)) != entry.crc32c:  # type: ignore[attr-defined]
                raise DataLossError(f"'{key}' has another checksum")
        return found.astype(dtype.np_dtype, copy=False)

    def _check_places(self) -> None:
        """Raise DataLossError if tensors overlap: a small file would have a large content."""
        places = [(each.shard_id, each.offset, each.size) for each in self._entries.values()]
        passed = 0, 0
        for shard, offset, size in sorted(place for place in places if place[2] > 0):
            if (shard, offset) < passed:
                raise DataLossError(f"the tensors of the bundle '{self._prefix}' overlap")
            passed = shard, offset + size

    def _opened_at(self, key: str, entry: BundleEntryProto) -> BinaryIO:
        """Return a data file, at the place of a tensor that lies in it as a whole."""
        if not 0 <= entry.shard_id < self._shards or entry.offset < 0 or entry.size < 0:
            raise DataLossError(f"'{key}' has no place in the bundle")
        path = _SHARD.format(self._prefix, entry.shard_id, self._shards)
        file = _opened(path)
        if entry.offset + entry.size > os.fstat(file.fileno()).st_size:
            file.close()
            raise DataLossError(f"'{path}' is cut: it has no '{key}'")
        file.seek(entry.offset)
        return file


def _text(key: bytes) -> str:
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise DataLossError("a key of the bundle is not UTF-8") from None


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise NotFoundError(f"'{path}' cannot be read: {error.strerror}") from None


def _read(path: str) -> bytes:
    with _opened(path) as file:
        return file.read()


def _read_strings(key: str, content: bytes, shape: Sequence[int], checksum: int) -> Array:
    count, at, sizes = prod(shape), 0, []
    if count > len(content):
        raise DataLossError(f"'{key}' has fewer texts than its shape")
    for _ in range(count):
        size, at = varint_at(content, at)
        sizes.append(size)
    check, start = content[at : at + 4], at + 4
    if start + sum(sizes) != len(content):
        raise DataLossError(f"the texts of '{key}' have other lengths")
    stored = b"".join(struct.pack("<I" if size < 1 << 32 else "<Q", size) for size in sizes)
    if masked_crc32c(stored + check + content[start:]) != checksum:
        raise DataLossError(f"'{key}' has another checksum")
    found = np.empty(count, object)
    for position, size in enumerate(sizes):
        found[position] = content[start : start + size]
        start += size
    return found.reshape(tuple(shape))
