"""The filters of PNG, which replace each byte by its difference from a prediction.

The prediction is made of the bytes to the left (a), above (b) and above to the left (c): none, a,
b, the mean of a and b, or the one of the three that is nearest to a + b - c (Paeth's).
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runtime.core.tensor import Array
from runtime.ops.files.png_chunks import damaged

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
