"""The table files of LevelDB: sorted keys with values, as TensorFlow's checkpoint index has them.

    data block ... | empty meta index block | index block | footer

A block holds entries, each with the part of its key that differs from the key before, and ends in
the offsets of its whole keys. After it come its compression (0: none) and its masked CRC-32C. The
index block has the last key of each data block and where the block lies.
The rules are those of LevelDB's `doc/table_format.md`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from runtime.core.crc32c import masked_crc32c
from runtime.errors import DataLossError
from runtime.export.protobuf import varint

_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)
_HANDLES = 40
_FOOTER = _HANDLES + len(_MAGIC)
_TRAILER = 5
# A block is closed when it has as many bytes; every so many entries, a key is stored whole.
_BLOCK_BYTES = 1 << 18
_WHOLE_KEY_EVERY = 16
_LONGEST_VARINT = 10
# The keys of a block, whose entries have parts of them, are at most so many times as long.
_KEY_BYTES_PER_BYTE = 64


def sstable(entries: Mapping[bytes, bytes]) -> bytes:
    """Return a table file with keys and values.

    >>> dict(read_sstable(sstable({b"b": b"2", b"a": b"1"})))
    {b'a': b'1', b'b': b'2'}
    """
    found, index = bytearray(), []
    for block in _split(sorted(entries.items())):
        index.append((block[-1][0], _append(found, _block(block))))
    meta = _append(found, _block([]))
    index_handle = _append(found, _block(index))
    return bytes(found + (meta + index_handle).ljust(_HANDLES, b"\0") + _MAGIC)


def _split(entries: list[tuple[bytes, bytes]]) -> Iterator[list[tuple[bytes, bytes]]]:
    block: list[tuple[bytes, bytes]] = []
    size = 0
    for key, value in entries:
        block.append((key, value))
        size += len(key) + len(value)
        if size >= _BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def _append(found: bytearray, block: bytes) -> bytes:
    """Append a block with its trailer; return its handle, the offset and the size."""
    handle = varint(len(found)) + varint(len(block))
    checked = block + b"\0"
    found += checked + struct.pack("<I", masked_crc32c(checked))
    return handle


def _block(entries: list[tuple[bytes, bytes]]) -> bytes:
    found, whole, before = bytearray(), [], b""
    for position, (key, value) in enumerate(entries):
        shared = 0
        if position % _WHOLE_KEY_EVERY == 0:
            whole.append(len(found))
        else:
            shared = _common_prefix(before, key)
        found += varint(shared) + varint(len(key) - shared) + varint(len(value))
        found += key[shared:] + value
        before = key
    whole = whole or [0]
    return bytes(found + struct.pack(f"<{len(whole) + 1}I", *whole, len(whole)))


def _common_prefix(first: bytes, second: bytes) -> int:
    shortest = min(len(first), len(second))
    return next((k for k in range(shortest) if first[k] != second[k]), shortest)


# -- reading ---------------------------------------------------------------------------------------


def read_sstable(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the keys and values of a table file, in the order of the keys.

    Raises:
        DataLossError: the file is damaged, or a block is compressed.
    """
    if len(data) < _FOOTER or not data.endswith(_MAGIC):
        raise DataLossError("it is not a table file: its last eight bytes are wrong")
    footer = data[-_FOOTER:]
    _, at = _handle(footer, 0)
    index, _ = _handle(footer, at)
    passed = 0
    for _, value in _entries(_content(data, *index)):
        (offset, size), _ = _handle(value, 0)
        if offset < passed:
            raise DataLossError("the blocks of the table overlap")
        passed = offset + size
        yield from _entries(_content(data, offset, size))


def _content(data: bytes, offset: int, size: int) -> bytes:
    end = offset + size
    if end + _TRAILER > len(data) - _FOOTER:
        raise DataLossError("a block of the table lies outside of the file")
    (checksum,) = struct.unpack_from("<I", data, end + 1)
    if masked_crc32c(data[offset : end + 1]) != checksum:
        raise DataLossError("a block of the table has another checksum")
    if data[end]:
        raise DataLossError("a block of the table is compressed, which is not read here")
    return data[offset:end]


def _entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    if len(block) < 4:
        raise DataLossError("a block of the table is too short")
    (count,) = struct.unpack("<I", block[-4:])
    end, at, key, length = len(block) - 4 * (count + 1), 0, b"", 0
    if end < 0:
        raise DataLossError("a block of the table is too short")
    while at < end:
        is_first = at == 0
        shared, at = varint_at(block, at)
        own, at = varint_at(block, at)
        size, at = varint_at(block, at)
        if shared > len(key) or at + own + size > end:
            raise DataLossError("an entry of the table is longer than its block")
        before, key = key, key[:shared] + block[at : at + own]
        length += len(key)
        if length > _KEY_BYTES_PER_BYTE * len(block) or not (is_first or before < key):
            raise DataLossError("the keys of the table are too long, or not in order")
        yield key, block[at + own : at + own + size]
        at += own + size


def _handle(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    offset, at = varint_at(data, at)
    size, at = varint_at(data, at)
    return (offset, size), at


def varint_at(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at a position, in groups of seven bits, and the position after it.

    >>> varint_at(varint(300), 0)
    (300, 2)
    """
    number = 0
    for position, byte in enumerate(data[at : at + _LONGEST_VARINT]):
        number |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            return number, at + position + 1
    raise DataLossError("a number of the table does not end")
