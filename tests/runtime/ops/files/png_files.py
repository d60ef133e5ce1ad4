"""PNG files of every kind, written by the book, with the samples that they hold."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Rows and columns of the parts of an interlaced picture.
ADAM7 = (
    (slice(0, None, 8), slice(0, None, 8)),
    (slice(0, None, 8), slice(4, None, 8)),
    (slice(4, None, 8), slice(0, None, 4)),
    (slice(0, None, 4), slice(2, None, 4)),
    (slice(2, None, 4), slice(0, None, 2)),
    (slice(0, None, 2), slice(1, None, 2)),
    (slice(1, None, 2), slice(0, None, 1)),
)
# Kinds of colour, with the samples of a pixel and the bits of a sample.
KINDS = {
    0: (1, (1, 2, 4, 8, 16)),
    2: (3, (8, 16)),
    3: (1, (1, 2, 4, 8)),
    4: (2, (8, 16)),
    6: (4, (8, 16)),
}


class Made(NamedTuple):
    """A file, its samples, and the colours of its palette, with alpha."""

    data: bytes
    samples: np.ndarray
    palette: np.ndarray | None


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width: int, height: int, bits: int = 8, colour: int = 0, interlaced: int = 0) -> bytes:
    sizes = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlaced)
    return SIGNATURE + chunk(b"IHDR", sizes)


def pixels(data: bytes) -> bytes:
    return chunk(b"IDAT", zlib.compress(data))


END = chunk(b"IEND", b"")


def made(
    rng: np.random.Generator,
    shape: tuple[int, int],
    colour: int,
    bits: int,
    interlaced: bool,
    transparent: bool,
) -> Made:
    """A file of random samples, in which each row has a random filter."""
    count, _ = KINDS[colour]
    samples = rng.integers(0, 2**bits, (*shape, count))
    parts = ADAM7 if interlaced else ((slice(None), slice(None)),)
    data = b"".join(_filtered(samples[part], bits, rng) for part in parts if samples[part].size)
    extra, palette = b"", None
    if colour == 3:
        palette = np.full((2**bits, 4), 255)
        palette[:, :3] = rng.integers(0, 256, (2**bits, 3))
        extra = chunk(b"PLTE", palette[:, :3].astype(np.uint8).tobytes())
        if transparent:
            palette[: 2 ** (bits - 1), 3] = rng.integers(0, 256, 2 ** (bits - 1))
            extra += chunk(b"tRNS", palette[: 2 ** (bits - 1), 3].astype(np.uint8).tobytes())
    elif transparent and colour in (0, 2):
        extra = chunk(b"tRNS", samples[0, 0].astype(">u2").tobytes())
    compressed = zlib.compress(data)
    parts_of_data = chunk(b"IDAT", compressed[:7]) + chunk(b"IDAT", compressed[7:])
    height, width = shape
    whole = header(width, height, bits, colour, int(interlaced)) + extra + parts_of_data + END
    return Made(whole, samples, palette)


def _filtered(samples: np.ndarray, bits: int, rng: np.random.Generator) -> bytes:
    rows = [_packed(row.reshape(-1), bits) for row in samples]
    step = max(1, bits * samples.shape[2] // 8)
    above = bytes(len(rows[0]))
    lines = []
    for row in rows:
        kind = int(rng.integers(5))
        lines.append(bytes([kind]) + _differences(kind, row, above, step))
        above = row
    return b"".join(lines)


def _packed(row: np.ndarray, bits: int) -> bytes:
    if bits == 16:
        return row.astype(">u2").tobytes()
    digits = [f"{sample:0{bits}b}" for sample in row.tolist()]
    text = "".join(digits)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[at : at + 8], 2) for at in range(0, len(text), 8))


def _differences(kind: int, row: bytes, above: bytes, step: int) -> bytes:
    found = []
    for at, value in enumerate(row):
        a = row[at - step] if at >= step else 0
        b = above[at]
        c = above[at - step] if at >= step else 0
        nearest = min((a, b, c), key=lambda each: abs(a + b - c - each))
        found.append(value - (0, a, b, (a + b) // 2, nearest)[kind] & 255)
    return bytes(found)
