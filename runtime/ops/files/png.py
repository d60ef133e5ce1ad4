"""PNG pictures: decoding of every kind, and encoding of 1 to 4 channels, as TensorFlow's ops do."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

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
    damaged,
    decompressed,
    png_bytes,
    read_png,
)

NONE, LEFT, ABOVE, MEAN, PAETH = range(5)
# Rows and columns from which on diagonals are faster than single bytes.
_WIDE = 6
# The rows whose diagonals are in memory together.
_ROWS = 1024


def unfiltered(rows: Array, step: int) -> Array:
    """Return the bytes of rows, each of which begins with the number of its filter.

    Args:
        rows: uint8, [height, 1 + bytes of a row].
        step: the number of bytes from a pixel to the next one, at least 1.

    Raises:
        ArgumentValueError: there is no such filter.
    """
    filters, data = rows[:, 0], rows[:, 1:]
    if filters.size and filters.max() > PAETH:
        raise damaged("there is no such filter")
    width = -(-data.shape[1] // step)
    if (filters >= MEAN).any() and min(len(rows), width) >= _WIDE:
        return _by_diagonals(filters, data, step, width)
    found = data.copy()
    above = np.zeros(data.shape[1], np.uint8)
    for kind, row in zip(filters.tolist(), found):
        _unfilter_row(kind, row, above, step)
        above = row
    return found


def _unfilter_row(kind: int, row: Array, above: Array, step: int) -> None:
    """Change one row in place."""
    if kind == LEFT:
        for first in range(step):
            np.add.accumulate(row[first::step], out=row[first::step])
    elif kind == ABOVE:
        row += above
    elif kind >= MEAN:
        row[:] = np.frombuffer(_by_bytes(kind, row.tolist(), above.tolist(), step), np.uint8)


def _by_bytes(kind: int, row: list[int], above: list[int], step: int) -> bytes:
    for at, up in enumerate(above):
        left = row[at - step] if at >= step else 0
        if kind == MEAN:
            predicted = (left + up) >> 1
        else:
            corner = above[at - step] if at >= step else 0
            to_left, to_up = abs(up - corner), abs(left - corner)
            to_corner = abs(left + up - 2 * corner)
            is_left = to_left <= to_up and to_left <= to_corner
            predicted = left if is_left else up if to_up <= to_corner else corner
        row[at] = (row[at] + predicted) & 255
    return bytes(row)


def _by_diagonals(filters: Array, data: Array, step: int, width: int) -> Array:
    """Undo all filters, pixel by pixel of a diagonal at once, for some rows after another."""
    padded = np.zeros((len(data), width * step), np.uint8)
    padded[:, : data.shape[1]] = data
    pixels = padded.reshape(len(data), width, step)
    above = np.zeros((width, step), np.int16)
    for first in range(0, len(data), _ROWS):
        part = pixels[first : first + _ROWS]
        part[:] = _undone(filters[first : first + _ROWS], part, above)
        above = part[-1].astype(np.int16)
    return padded[:, : data.shape[1]]


def _undone(filters: Array, pixels: Array, above: Array) -> Array:
    """Return the bytes of some rows of pixels below another row.

    Diagonal d has the pixels of row r and column d - r. They depend on those of the two diagonals
    before, of the same row and the one above.
    """
    height, width, step = pixels.shape
    count = height + width - 1
    differences = np.zeros((height, count + 1, step), np.uint8)
    _skewed(differences, 1, 0, height, width)[:] = pixels
    by_diagonal = np.ascontiguousarray(differences[:, :count].transpose(1, 0, 2))
    # The rows are diagonals, after two that have only the pixels of the row above.
    found = np.zeros((count + 2, height + 1, step), np.int16)
    found[1 : width + 1, 0] = above
    kinds = filters.astype(np.intp)[:, None]
    for diagonal in range(count):
        first, last = max(0, diagonal - width + 1), min(height, diagonal + 1)
        a = found[diagonal + 1, first + 1 : last + 1]
        b, c = found[diagonal + 1, first:last], found[diagonal, first:last]
        choices = (np.int16(0), a, b, (a + b) >> 1, paeth(a, b, c))
        predicted = np.choose(kinds[first:last], choices)
        predicted += by_diagonal[diagonal, first:last]
        predicted &= 255
        found[diagonal + 2, first + 1 : last + 1] = predicted
    return _skewed(found[2:, 1:], 0, 1, height, width)


def _skewed(array: Array, row: int, other: int, height: int, width: int) -> Array:
    """Return the view of `array` in which a row is one place further along the diagonals' axis."""
    along, across = array.strides[row], array.strides[other]
    shape, strides = (height, width, array.shape[2]), (across + along, along, array.strides[2])
    return as_strided(array, shape, strides)


def paeth(a: Array, b: Array, c: Array) -> Array:
    """Return for each place the one of three int16 that is nearest to a + b - c."""
    up, left = b - c, a - c
    to_a, to_b, to_c = np.abs(up), np.abs(left), np.abs(up + left)
    nearest = np.where(to_b <= to_c, b, c)
    return np.where((to_a <= to_b) & (to_a <= to_c), a, nearest)


def filtered(data: Array, step: int) -> bytes:
    """Return rows with the filter of the least differences, and its number before each.

    Args:
        data: uint8, [height, bytes of a row].
    """
    x = np.zeros((data.shape[0] + 1, data.shape[1] + step), np.int16)
    x[1:, step:] = data
    here, a, b, c = x[1:, step:], x[1:, :-step], x[:-1, step:], x[:-1, :-step]
    best = np.empty((data.shape[0], data.shape[1] + 1), np.uint8)
    least = np.full(data.shape[0], np.iinfo(np.int64).max)
    for kind, predicted in enumerate((np.int16(0), a, b, (a + b) >> 1, paeth(a, b, c))):
        bytes_ = (here - predicted).astype(np.uint8)
        differences = np.minimum(bytes_, 0 - bytes_).sum(axis=1, dtype=np.int64)
        better = differences < least
        least[better] = differences[better]
        best[better, 0] = kind
        best[better, 1:] = bytes_[better]
    return best.tobytes()


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
        pixels = _whole_palette(file)[samples[..., 0]]
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


def _whole_palette(file: PngFile) -> Array:
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
