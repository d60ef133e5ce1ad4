"""PNG encoding of images, with the standard library's zlib."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from runtime.core.tensor import Array

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# By the number of channels: gray, gray and opacity, colours, colours and opacity.
COLOUR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}
_BITS = 8


def as_bytes(pixels: Array) -> Array:
    """Return pixels as whole numbers from 0 to 255.

    Floats range from 0 to 1; integers over their dtype's range. Values outside are clipped, and NaN
    becomes 0.

    >>> as_bytes(np.array([-1.0, 0.5, 2.0])).tolist()
    [0, 127, 255]
    >>> as_bytes(np.array([0, 65535], np.uint16)).tolist()
    [0, 255]
    """
    if pixels.dtype.kind == "f":
        scaled = np.nan_to_num(pixels.astype(np.float64), nan=0.0, posinf=1.0, neginf=0.0) * 255.5
        return np.clip(scaled, 0, 255).astype(np.uint8)
    if pixels.dtype.kind == "b":
        return pixels.astype(np.uint8) * 255
    most = int(np.iinfo(pixels.dtype).max)
    if most < 255:
        return np.clip(pixels, 0, most).astype(np.uint8) * (256 // (most + 1))
    return np.asarray(np.clip(pixels, 0, None) // ((most + 1) // 256)).astype(np.uint8)


def png(pixels: Array) -> bytes:
    """Return one picture as a file.

    Args:
        pixels: uint8 of shape [height, width, channels], with one to four channels.
    """
    height, width, channels = pixels.shape
    head = struct.pack(">IIBBBBB", width, height, _BITS, COLOUR_TYPES[channels], 0, 0, 0)
    # Each row starts with its filter type: none.
    rows = np.zeros((height, 1 + width * channels), np.uint8)
    rows[:, 1:] = pixels.reshape(height, width * channels)
    body = zlib.compress(rows.tobytes())
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(name: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + check
