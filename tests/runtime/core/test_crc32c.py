"""Checksums of record files agree with known ones and with a slow implementation."""

from __future__ import annotations

import random

import pytest

from runtime.core.crc32c import crc32c, masked_crc32c


# The examples of RFC 3720, appendix B.4.
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
        (b"", 0),
        (b"123456789", 0xE3069283),
    ],
)
def test_checksums_agree_with_known_ones(data: bytes, expected: int) -> None:
    assert expected == crc32c(data)


def bit_by_bit(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


@pytest.mark.parametrize("size", [1, 1023, 1024, 1025, 2047, 4096, 4099, 20001])
def test_long_contents_have_the_checksum_of_the_definition(size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert bit_by_bit(data) == crc32c(data)
    for cut in (0, 3, size // 2):
        assert crc32c(data) == crc32c(data[cut:], crc32c(data[:cut]))


def test_the_mask_is_reversible() -> None:
    masked = masked_crc32c(b"text")
    turned = (masked - 0xA282EAD8) & 0xFFFFFFFF
    assert crc32c(b"text") == (turned >> 17 | turned << 15) & 0xFFFFFFFF
