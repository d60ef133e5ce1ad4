"""The chunks of a PNG file: its header, palette, transparency and compressed samples.

A chunk is its length, a name of four letters, data and a checksum. Chunks that a picture needs have
a capital first letter; a damaged one of the others is left out.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from struct import Struct
from typing import NamedTuple

from runtime.errors import ArgumentValueError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
# The samples of a pixel, and the numbers of bits that a sample may have, by kind of colour.
SAMPLES = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGB_ALPHA: 4}
_DEPTHS = {
    GRAY: (1, 2, 4, 8, 16),
    RGB: (8, 16),
    PALETTE: (1, 2, 4, 8),
    GRAY_ALPHA: (8, 16),
    RGB_ALPHA: (8, 16),
}
_HEAD = Struct(">I4s")
_LENGTH = Struct(">I")
_HEADER = Struct(">IIBBBBB")
_LARGEST_SIDE = 2**27 - 1
_LARGEST_SIZE = 2**29
# A byte of zlib's format stands for 1032 at most.
_MOST_PER_BYTE = 1032


class Header(NamedTuple):
    """The header of a PNG file: the size of the image, and the format of its samples.

    Attributes:
        bits: the number of bits of a sample.
        colour: the kind of colour: GRAY, RGB, PALETTE, GRAY_ALPHA or RGB_ALPHA.
        is_interlaced: whether the rows are in the order of Adam7.
    """

    width: int
    height: int
    bits: int
    colour: int
    is_interlaced: bool

    @property
    def pixel_bits(self) -> int:
        """The number of bits of a pixel."""
        return self.bits * SAMPLES[self.colour]

    def row_bytes(self, width: int) -> int:
        """Return the number of bytes of a row of some pixels, without that of its filter."""
        return (width * self.pixel_bits + 7) // 8


class PngFile(NamedTuple):
    """The parts of a PNG file.

    Attributes:
        palette: the bytes of the palette, empty without one.
        transparency: the bytes of the alpha values of a palette, or of the transparent colour.
        data: the compressed samples.
    """

    header: Header
    palette: bytes
    transparency: bytes
    data: bytes


def read_png(contents: bytes) -> PngFile:
    """Return the parts of a file.

    Raises:
        ArgumentValueError: it is damaged, or no PNG.
    """
    chunks = _chunks(contents)
    name, data = next(chunks, (b"", b""))
    if name != b"IHDR":
        raise damaged("it does not begin with a header")
    header = _header(data)
    palette, transparency, parts = b"", b"", []
    for name, data in chunks:
        if name == b"IDAT":
            parts.append(data)
        elif name == b"PLTE" and not parts:
            palette = _palette(data)
        elif name == b"tRNS" and not parts:
            transparency = data
        elif name == b"IEND":
            return _checked(PngFile(header, palette, transparency, b"".join(parts)))
        elif not name[0] & 32 and name != b"PLTE":
            raise damaged(f"there is no chunk {name!r}")
    raise damaged("its end is missing")


def _checked(file: PngFile) -> PngFile:
    if file.header.colour == PALETTE and not file.palette:
        raise damaged("the palette is missing")
    return file


def _chunks(contents: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not contents.startswith(SIGNATURE):
        raise damaged("it does not begin as a PNG")
    at = len(SIGNATURE)
    while at + _HEAD.size <= len(contents):
        length, name = _HEAD.unpack_from(contents, at)
        end = at + _HEAD.size + length
        if end + _LENGTH.size > len(contents):
            raise damaged(f"it ends inside of the chunk {name!r}")
        data = contents[at + _HEAD.size : end]
        if _LENGTH.unpack_from(contents, end)[0] == zlib.crc32(data, zlib.crc32(name)):
            yield name, data
        elif not name[0] & 32:
            raise damaged(f"the checksum of the chunk {name!r} is wrong")
        at = end + _LENGTH.size


def _header(data: bytes) -> Header:
    if len(data) != _HEADER.size:
        raise damaged("its header is too long or too short")
    width, height, bits, colour, compression, filters, interlacing = _HEADER.unpack(data)
    if bits not in _DEPTHS.get(colour, ()):
        raise damaged(f"there are no samples of {bits} bits of the colour {colour}")
    if compression or filters or interlacing > 1:
        raise damaged("its compression, filters or interlacing are not known")
    if not (0 < width <= _LARGEST_SIDE and 0 < height <= _LARGEST_SIDE):
        raise damaged(f"its size is {width} times {height}")
    if width * height * 4 > _LARGEST_SIZE:
        raise damaged(f"it is too large: {width} times {height}")
    return Header(width, height, bits, colour, bool(interlacing))


def _palette(data: bytes) -> bytes:
    if not data or len(data) % 3 or len(data) > 3 * 256:
        raise damaged("its palette is damaged")
    return data


def decompressed(data: bytes, count: int) -> bytes:
    """Return the first bytes of compressed data.

    Raises:
        ArgumentValueError: there are fewer, or the data are damaged.
    """
    if count > _MOST_PER_BYTE * len(data):
        raise damaged("it has fewer samples than its size says")
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data, count)
        stream.decompress(stream.unconsumed_tail, 1)  # the checksum at the end
    except zlib.error as error:
        raise damaged(str(error)) from None
    if len(found) < count:
        raise damaged("it has fewer samples than its size says")
    return found


def damaged(reason: str) -> ArgumentValueError:
    """Return the error for a file that cannot be decoded."""
    return ArgumentValueError(f"the PNG cannot be decoded: {reason}")


# -- writing ---------------------------------------------------------------------------------------


def png_bytes(header: Header, samples: bytes, level: int) -> bytes:
    """Return a file of these filtered samples, at a level of zlib's."""
    colours = (header.bits, header.colour, 0, 0, int(header.is_interlaced))
    chunks = (
        (b"IHDR", _HEADER.pack(header.width, header.height, *colours)),
        (b"IDAT", zlib.compress(samples, level)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(_joined(chunks))


def _joined(chunks: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    for name, data in chunks:
        checksum = _LENGTH.pack(zlib.crc32(data, zlib.crc32(name)))
        yield _HEAD.pack(len(data), name) + data + checksum
