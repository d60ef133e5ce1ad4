"""PNG pictures: decoding of every kind, and encoding of 1 to 4 channels, as TensorFlow's ops do."""

from __future__ import annotations

import numpy as np

from runtime.core.tensor import Array
from runtime.ops.files.png_chunks import (
    GRAY,
    GRAY_ALPHA,
    PALETTE,
    RGB,
    RGB_ALPHA,
    SAMPLES,
    Header,
    PngFile,
    decompressed,
    png_bytes,
    read_png,
)
from runtime.ops.files.png_filters import filtered, unfiltered

# The parts of an interlaced picture: first row, first column, and the steps of rows and columns.
_ADAM7 = (
    (0, 0, 8, 8),
    (0, 4, 8, 8),
    (4, 0, 8, 4),
    (0, 2, 4, 4),
    (2, 0, 4, 2),
    (0, 1, 2, 2),
    (1, 0, 2, 1),
)
_COLOURS = {1: GRAY, 2: GRAY_ALPHA, 3: RGB, 4: RGB_ALPHA}
# Red, green and blue in a gray, in parts of 2**15.
_GRAY_OF_RGB = np.array([9797, 19234, 3737], np.int64)


def decode(contents: bytes, channels: int, is_wide: bool) -> Array:
    """Return a picture as [height, width, channels].

    Args:
        channels: 1, 3 or 4; 0 for those of the file.
        is_wide: whether samples are uint16 instead of uint8.

    Raises:
        ArgumentValueError: the file is damaged.
    """
    file = read_png(contents)
    samples, bits = _channels(file, _samples(file), channels)
    if is_wide:
        return samples.astype(np.uint16) if bits == 16 else samples.astype(np.uint16) * 257
    return (samples >> 8 if bits == 16 else samples).astype(np.uint8)


# -- samples ---------------------------------------------------------------------------------------


def _samples(file: PngFile) -> Array:
    """Return the numbers of the file, as [height, width, samples of a pixel]."""
    header = file.header
    passes = _passes(header)
    count = sum(rows * (1 + header.row_bytes(width)) for _, rows, width in passes)
    data = np.frombuffer(decompressed(file.data, count), np.uint8)
    dtype = np.uint16 if header.bits == 16 else np.uint8
    found = np.empty((header.height, header.width, SAMPLES[header.colour]), dtype)
    at = 0
    for (top, left, down, right), rows, width in passes:
        size = rows * (1 + header.row_bytes(width))
        part = _unpacked(data[at : at + size].reshape(rows, -1), width, header)
        found[top::down, left::right] = part
        at += size
    return found


def _passes(header: Header) -> list[tuple[tuple[int, int, int, int], int, int]]:
    """Return each part of a picture that has pixels, with the numbers of its rows and columns."""
    parts = _ADAM7 if header.is_interlaced else ((0, 0, 1, 1),)
    sizes = (
        (part, -(-(header.height - part[0]) // part[2]), -(-(header.width - part[1]) // part[3]))
        for part in parts
    )
    return [each for each in sizes if each[1] > 0 and each[2] > 0]


def _unpacked(rows: Array, width: int, header: Header) -> Array:
    data = unfiltered(rows, max(1, header.pixel_bits // 8))
    shape = (len(rows), width, SAMPLES[header.colour])
    if header.bits == 16:
        return np.ascontiguousarray(data).view(">u2").astype(np.uint16).reshape(shape)
    if header.bits == 8:
        return data.reshape(shape)
    bits = np.unpackbits(data, axis=1).reshape(len(rows), -1, header.bits)
    weights = 1 << np.arange(header.bits - 1, -1, -1, dtype=np.uint8)
    return (bits @ weights)[:, :width].astype(np.uint8).reshape(shape)


# -- channels --------------------------------------------------------------------------------------


def _channels(file: PngFile, samples: Array, channels: int) -> tuple[Array, int]:
    """Return samples of the wanted channels, and the number of their bits, 8 or 16."""
    header = file.header
    if header.colour == PALETTE:
        pixels = _of_palette(file)[samples[..., 0]]
        has_alpha, bits = bool(file.transparency), 8
        wanted = channels or (4 if has_alpha else 3)
        colours, alpha = pixels[..., :3], pixels[..., 3:]
    else:
        has_alpha, bits = header.colour in (GRAY_ALPHA, RGB_ALPHA), max(8, header.bits)
        wanted = channels or SAMPLES[header.colour]
        colours = samples[..., : 1 if header.colour in (GRAY, GRAY_ALPHA) else 3]
        alpha = samples[..., -1:] if has_alpha else _alpha_of(file, samples, bits)
        if header.bits < 8:
            colours = colours * np.uint8(255 // (2**header.bits - 1))
    if wanted < 3 and colours.shape[-1] == 3:
        colours = _gray(colours, bits)
    if wanted >= 3 and colours.shape[-1] == 1:
        colours = np.repeat(colours, 3, axis=-1)
    is_with_alpha = wanted % 2 == 0
    return np.concatenate([colours, alpha], -1) if is_with_alpha else colours, bits


def _of_palette(file: PngFile) -> Array:
    """Return all 256 colours: red, green, blue and alpha; those without an entry are black."""
    colours = np.zeros((256, 4), np.uint8)
    colours[:, 3] = 255
    given = np.frombuffer(file.palette, np.uint8).reshape(-1, 3)
    colours[: len(given), :3] = given
    alphas = np.frombuffer(file.transparency[:256], np.uint8)
    colours[: len(alphas), 3] = alphas
    return colours


def _alpha_of(file: PngFile, samples: Array, bits: int) -> Array:
    """Return the alpha of colours: 0 for the transparent one of the file."""
    full = np.full((*samples.shape[:2], 1), 2**bits - 1, samples.dtype)
    if len(file.transparency) < 2 * samples.shape[-1]:
        return full
    key = np.frombuffer(file.transparency, ">u2", samples.shape[-1])
    mask = (samples == (key & (2**file.header.bits - 1))).all(axis=-1, keepdims=True)
    return np.where(mask, 0, full).astype(samples.dtype)


def _gray(colours: Array, bits: int) -> Array:
    rounding = 2**14 if bits == 16 else 0
    gray = (colours.astype(np.int64) @ _GRAY_OF_RGB + rounding) >> 15
    return gray.astype(colours.dtype)[..., None]


# -- encoding --------------------------------------------------------------------------------------


def encode(image: Array, compression: int) -> bytes:
    """Return the file of one picture, [height, width, 1 to 4 channels] of uint8 or uint16."""
    height, width, channels = image.shape
    wide = image.dtype.itemsize == 2
    rows = image.astype(">u2").view(np.uint8) if wide else image
    header = Header(width, height, 8 * image.dtype.itemsize, _COLOURS[channels], False)
    samples = filtered(rows.reshape(height, -1), header.pixel_bits // 8)
    return png_bytes(header, samples, compression)
