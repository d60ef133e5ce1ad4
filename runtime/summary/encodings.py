"""The stored forms of summaries: histogram buckets, PNG images and WAV audio."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from runtime.core.tensor import Array


def bucket_rows(values: Array, buckets: int) -> Array:
    """Count values in buckets of equal width between the smallest and the largest one.

    The last bucket includes the largest value. If all values are equal, all buckets have width 0
    and the last one counts all values. Values that are not finite are omitted.

    Args:
        values: numbers in any shape.
        buckets: the number of buckets.

    Returns:
        float64, of shape [buckets, 3]; zeros if there are no values.

    >>> bucket_rows(np.array([1.0, 2.0, 5.0, 5.0]), 2)
    array([[1., 3., 2.],
           [3., 5., 2.]])
    """
    data = values.astype(np.float64).ravel()
    data = data[np.isfinite(data)]
    rows = np.zeros((buckets, 3))
    if not buckets or not data.size:
        return rows
    low, high = data.min(), data.max()
    # The edges are computed at half size, since the difference of the largest floats overflows.
    edges = np.linspace(low / 2, high / 2, buckets + 1) * 2
    rows[:, 0], rows[:, 1] = edges[:-1], edges[1:]
    if low == high:
        rows[:, :2] = low
        rows[-1, 2] = data.size
        return rows
    places = np.floor((data / 2 - low / 2) / ((high / 2 - low / 2) / buckets)).astype(np.int64)
    rows[:, 2] = np.bincount(np.clip(places, 0, buckets - 1), minlength=buckets)
    return rows


# -- PNG, with the standard library's zlib ---------------------------------------------------------


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# By the number of channels: gray, gray and opacity, colours, colours and opacity.
COLOUR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}
_BITS = 8


def as_bytes(pixels: Array) -> Array:
    """Return pixels as whole numbers from 0 to 255.

    Floats range from 0 to 1, integers from 0 to the largest of their dtype. Values outside are
    clipped, and NaN becomes 0.

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
    return (
        _SIGNATURE
        + _png_chunk(b"IHDR", head)
        + _png_chunk(b"IDAT", body)
        + _png_chunk(b"IEND", b"")
    )


def _png_chunk(name: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + check


# -- WAV: 16-bit samples, interleaved channels -----------------------------------------------------


_BYTES = 2
_PLAIN_SAMPLES = 1


def wav(samples: Array, rate: int) -> bytes:
    """Return one sound as the bytes of a file.

    Args:
        samples: floats from -1 to 1, of shape [frames, channels]; others are clipped.
        rate: the number of frames per second.

    >>> len(wav(np.zeros((10, 2)), 8000))
    84
    """
    channels = samples.shape[1]
    finite = np.nan_to_num(samples.astype(np.float64))
    body = (np.clip(finite, -1.0, 1.0) * 32767.0).astype("<i2").tobytes()
    frame = channels * _BYTES
    form = struct.pack("<HHIIHH", _PLAIN_SAMPLES, channels, rate, rate * frame, frame, 8 * _BYTES)
    inside = b"WAVE" + _wav_chunk(b"fmt ", form) + _wav_chunk(b"data", body)
    return _wav_chunk(b"RIFF", inside)


def _wav_chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content
