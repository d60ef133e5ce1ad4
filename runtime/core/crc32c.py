"""CRC-32C, the checksum of record files: Castagnoli's polynomial, least significant bit first.

Longer data is split into strips, which NumPy processes side by side. Checksums are linear: the
checksum of `a + b` is that of `b`, combined with that of `a` advanced by as many zero bytes as `b`
has.
"""

from __future__ import annotations

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


def crc32c(data: bytes) -> int:
    """Return the checksum of `data`.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    if len(data) < _LONG:
        return _going_on(_ONES, data) ^ _ONES
    # The initial ones of the checksum are combined with the first four bytes; the rest is linear.
    head = bytes(byte ^ 0xFF for byte in data[:4])
    return _of_strips(head + data[4:]) ^ _ONES


def masked_crc32c(data: bytes) -> int:
    """Return the masked checksum of record files: rotated by 15 bits, plus a constant.

    >>> hex(masked_crc32c(b"123456789"))
    '0xc78ab0e5'
    """
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & _ONES


def _going_on(crc: int, data: bytes) -> int:
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc


def _of_strips(data: bytes) -> int:
    """Return the checksum of data with the initial value 0 instead of ones."""
    strips = 1 << len(data).bit_length() // 2
    length, rest = divmod(len(data), strips)
    cut = len(data) - rest
    rows = np.frombuffer(data, np.uint8, cut).reshape(strips, length)
    crcs = _moved_on(np.zeros(strips, np.uint32), rows.T)
    moves = _moving(length)
    total = 0
    for crc in crcs.tolist():
        total = _moved(moves, total) ^ crc
    return _going_on(total, data[cut:])


def _moved_on(crcs: Array, columns: Array) -> Array:
    for column in columns:
        crcs = _ARRAY[(crcs ^ column) & 0xFF] ^ crcs >> 8
    return crcs


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
