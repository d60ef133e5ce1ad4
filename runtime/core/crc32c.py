"""CRC-32C, the checksum of record files: Castagnoli's polynomial, least significant bit first.

Longer data is split into strips, which NumPy processes side by side, four bytes a step. Checksums
are linear: the checksum of `a + b` is that of `b`, combined with that of `a` advanced by as many
zero bytes as `b` has.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from runtime.core.tensor import Array

_POLYNOMIAL = 0x82F63B78
_ONES = 0xFFFFFFFF
_MASK_DELTA = 0xA282EAD8
# The number of bytes below which plain Python is as fast.
_LONG = 1024


def _table() -> list[int]:
    values = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        values.append(value)
    return values


_TABLE = _table()
_ARRAY = np.array(_TABLE, np.uint32)


def crc32c(data: bytes | memoryview, before: int = 0) -> int:
    """Return the checksum of `data`.

    Args:
        data: the data, or a part of it.
        before: the checksum of the parts before.

    >>> hex(crc32c(b"123456789")), hex(crc32c(b"56789", crc32c(b"1234")))
    ('0xe3069283', '0xe3069283')
    """
    begun = before ^ _ONES
    if len(data) < _LONG:
        return _going_on(begun, data) ^ _ONES
    # The checksum so far is combined with the first four bytes; the rest is linear.
    head = int.from_bytes(data[:4], "little") ^ begun
    return _checksum_of_strips(b"".join((head.to_bytes(4, "little"), data[4:]))) ^ _ONES


def masked(crc: int) -> int:
    """Return a checksum as record files have it: rotated by 15 bits, plus a constant.

    >>> hex(masked(0xE3069283))
    '0xc78ab0e5'
    """
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & _ONES


def masked_crc32c(data: bytes) -> int:
    """Return the masked checksum of data.

    >>> hex(masked_crc32c(b"123456789"))
    '0xc78ab0e5'
    """
    return masked(crc32c(data))


def _going_on(crc: int, data: bytes | memoryview) -> int:
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc


def _checksum_of_strips(data: bytes) -> int:
    """Return the checksum of data with the initial value 0 instead of ones."""
    strips = 1 << len(data).bit_length() // 2
    words = len(data) // 4 // strips
    cut = words * 4 * strips
    rows = np.frombuffer(data, "<u4", words * strips).reshape(strips, words)
    low, high = _word_tables()
    crcs = np.zeros(strips, np.uint32)
    for column in rows.T:
        crcs = crcs ^ column
        crcs = low[crcs & 0xFFFF] ^ high[crcs >> 16]
    moves = _moving(words * 4)
    total = 0
    for crc in crcs.tolist():
        total = _moved(moves, total) ^ crc
    return _going_on(total, data[cut:])


@cache
def _word_tables() -> tuple[Array, Array]:
    """Return the effect of four zero bytes on the lower and on the upper half of a checksum."""
    halves, zeros = np.arange(1 << 16, dtype=np.uint32), np.zeros((4, 1), np.uint8)
    return _moved_on(halves, zeros), _moved_on(halves << 16, zeros)


def _moved_on(crcs: Array, columns: Array) -> Array:
    for column in columns:
        crcs = _ARRAY[(crcs ^ column) & 0xFF] ^ crcs >> 8
    return crcs


@lru_cache(maxsize=16)
def _moving(length: int) -> list[list[int]]:
    """Return the effect of `length` zero bytes on a checksum, as one table per byte of it."""
    bits = _moved_on(
        np.uint32(1) << np.arange(32, dtype=np.uint32), np.zeros((length, 1), np.uint8)
    )
    bytes_ = np.arange(256)
    tables = []
    for start in range(0, 32, 8):
        table = np.zeros(256, np.uint32)
        for bit in range(8):
            table ^= np.where(bytes_ >> bit & 1, bits[start + bit], np.uint32(0))
        tables.append(table.tolist())
    return tables


def _moved(moves: list[list[int]], crc: int) -> int:
    first, second, third, last = moves
    return first[crc & 0xFF] ^ second[crc >> 8 & 0xFF] ^ third[crc >> 16 & 0xFF] ^ last[crc >> 24]
