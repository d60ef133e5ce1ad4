"""PNG: every kind of file, against files written by the book, Pillow, TensorFlow; damaged files."""

from __future__ import annotations

import importlib.util
import io
import json
import time
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, InvalidArgumentError, OpError, ShapeError
from tests.runtime.ops.files import png_files
from tests.runtime.ops.files.png_files import END, KINDS, chunk, header, made, pixels

ALL_KINDS = [(colour, bits) for colour, (_, depths) in KINDS.items() for bits in depths]
SHAPES = [(1, 1), (3, 5), (9, 11), (17, 8), (2, 40)]
GRAY = header(2, 1) + pixels(b"\0\5\6") + END


def colours_of(file: png_files.Made, colour: int, bits: int) -> np.ndarray:
    """The samples that the file means, of its own channels, as numbers of 8 or 16 bits."""
    if file.palette is not None:
        return file.palette[file.samples[..., 0]]
    return file.samples * (255 // (2**bits - 1)) if bits < 8 else file.samples


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("colour, bits", ALL_KINDS)
def test_every_kind_of_file_is_decoded(colour, bits, interlaced):
    rng = np.random.default_rng(bits)
    for shape in SHAPES:
        file = made(rng, shape, colour, bits, interlaced, transparent=False)
        expected = colours_of(file, colour, bits)
        if file.palette is not None:
            expected = expected[..., :3]
        wide = rt.io.decode_png(file.data, dtype=rt.uint16).numpy()
        assert np.array_equal(expected if bits == 16 else expected * 257, wide)
        narrow = rt.io.decode_png(file.data).numpy()
        assert np.array_equal(expected >> 8 if bits == 16 else expected, narrow)
        assert (np.uint16, np.uint8) == (wide.dtype, narrow.dtype)


@pytest.mark.parametrize("colour, bits", [each for each in ALL_KINDS if each[0] in (0, 2, 3)])
def test_transparent_colours_have_an_alpha_of_zero(colour, bits):
    file = made(np.random.default_rng(3), (4, 9), colour, bits, False, transparent=True)
    found = rt.io.decode_png(file.data, channels=4).numpy()
    if file.palette is not None:
        assert np.array_equal(file.palette[file.samples[..., 0]], found)
        return
    is_key = (file.samples == file.samples[0, 0]).all(axis=-1)
    assert np.array_equal(np.where(is_key, 0, 255), found[..., 3])
    assert is_key[0, 0]
    # Without an alpha, the colours are as they are.
    assert np.array_equal(found[..., :3], rt.io.decode_png(file.data, channels=3).numpy())


def test_colours_become_gray_with_the_weights_of_the_eye():
    image = np.random.default_rng(1).integers(0, 256, (20, 20, 3)).astype(np.uint8)
    gray = rt.io.decode_png(rt.io.encode_png(image), channels=1).numpy()[..., 0]
    exact = image @ np.array([0.299, 0.587, 0.114])
    assert (np.abs(gray - exact) <= 1.02).all()
    wide = image.astype(np.uint16) * 256
    gray = rt.io.decode_png(rt.io.encode_png(wide), channels=1, dtype=rt.uint16).numpy()[..., 0]
    assert (np.abs(gray - exact * 256) <= 8.0).all()


@given(
    st.sampled_from([np.uint8, np.uint16]),
    st.tuples(st.integers(1, 20), st.integers(1, 20), st.integers(1, 4)),
    st.integers(0, 2**32 - 1),
    st.integers(-1, 9),
)
def test_what_is_encoded_is_decoded_again(dtype, shape, seed, compression):
    rng = np.random.default_rng(seed)
    image = np.cumsum(rng.integers(-3, 4, shape), axis=1).astype(dtype)
    data = rt.io.encode_png(image, compression)
    assert np.array_equal(image, rt.io.decode_png(data, dtype=rt.as_dtype(dtype)).numpy())


def test_batches_are_encoded_picture_by_picture():
    images = np.arange(2 * 3 * 4 * 5 * 1, dtype=np.uint8).reshape(2, 3, 4, 5, 1)
    files = rt.io.encode_png(images)
    assert (2, 3) == tuple(files.shape)
    assert np.array_equal(images[1, 2], rt.io.decode_png(files[1, 2]).numpy())


def test_a_smooth_picture_is_small():
    image = np.add.outer(np.arange(200), np.arange(200)).astype(np.uint8)[..., None]
    assert len(rt.io.encode_png(image).numpy()) < 1000
    assert len(rt.io.encode_png(image, compression=0).numpy()) > 40_000


def test_graphs_know_the_channels():
    @ag.function(input_signature=[rt.TensorSpec([], rt.string)])
    def halved(data):
        image = rt.io.decode_png(data, channels=3)
        return rt.io.encode_png(image // 2)

    image = np.full((2, 3, 3), 100, np.uint8)
    again = rt.io.decode_png(halved(rt.io.encode_png(image)))
    assert np.array_equal(image // 2, again.numpy())
    graph = halved.get_concrete_function().graph.as_text()
    assert "uint8[?, ?, 3]" in graph and graph.count(": string") == 2


# -- damaged files ---------------------------------------------------------------------------------

BAD_CHECK = bytearray(zlib.compress(b"\0\5\6"))
BAD_CHECK[-1] ^= 1


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "contents must be the bytes of an image, not empty"),
        (b"text", "contents must be an image"),
        (b"photos/cat.PNG", "path of a picture, not its contents: write rt.io.read_file"),
        (GRAY[:8], "it does not begin with a header"),
        (GRAY[:30], "it ends inside of the chunk b'IHDR'"),
        (GRAY[:50], "it ends inside of the chunk b'IDAT'"),
        (GRAY[:-12], "its end is missing"),
        (
            GRAY.replace(b"\0\0\0\2\0\0\0\1", b"\0\0\0\2\0\0\0\2"),
            "the checksum of the chunk b'IHDR'",
        ),
        (header(2, 1) + chunk(b"IDAT", bytes(BAD_CHECK)) + END, "incorrect data check"),
        (header(2, 1) + chunk(b"IDAT", b"no zlib") + END, "incorrect header check"),
        (header(2, 1) + pixels(b"\0\5") + END, "it has fewer samples than its size says"),
        (header(2, 1) + END, "it has fewer samples than its size says"),
        (header(2, 1) + pixels(b"\7\5\6") + END, "there is no such filter"),
        (header(0, 1) + pixels(b"\0") + END, "its size is 0 times 1"),
        (header(2**31 - 1, 2**31 - 1) + pixels(b"\0") + END, "its size is 2147483647 times"),
        (header(2**20, 2**20) + pixels(b"\0") + END, "it is too large: 1048576 times 1048576"),
        (header(10_000, 10_000) + pixels(bytes(100)) + END, "it has fewer samples than its size"),
        (header(2, 1, bits=3) + pixels(b"\0") + END, "there are no samples of 3 bits"),
        (header(2, 1, colour=5) + pixels(b"\0") + END, "there are no samples of 8 bits of the"),
        (header(2, 1, interlaced=2) + pixels(b"\0") + END, "its compression, filters or interlac"),
        (header(2, 1, colour=3) + pixels(b"\0\0\0") + END, "the palette is missing"),
        (header(2, 1, colour=3) + chunk(b"PLTE", b"12") + END, "its palette is damaged"),
        (header(2, 1) + chunk(b"ABCD", b"") + END, "there is no chunk b'ABCD'"),
        (png_files.SIGNATURE + chunk(b"IHDR", b"short") + END, "its header is too long or too"),
    ],
)
def test_a_damaged_file_is_one_error(data, reason):
    with pytest.raises(InvalidArgumentError) as found:
        rt.io.decode_png(data)
    assert reason in found.value.message and "\n" not in found.value.message


def test_damaged_texts_and_data_after_the_end_do_not_matter():
    text = bytearray(chunk(b"tEXt", b"a\0b"))
    text[-1] ^= 1
    longer = header(2, 1) + bytes(text) + pixels(b"\0\5\6\7\7") + END + b"more"
    assert [[[5], [6]]] == rt.io.decode_png(longer).numpy().tolist()


def test_colours_beyond_the_palette_are_black():
    data = header(2, 1, colour=3) + chunk(b"PLTE", b"\1\2\3") + pixels(b"\0\0\7") + END
    assert [[[1, 2, 3], [0, 0, 0]]] == rt.io.decode_png(data).numpy().tolist()


def test_changed_bytes_and_cut_files_give_errors_of_ours_at_once():
    rng = np.random.default_rng(7)
    file = made(rng, (30, 30), 6, 8, True, False).data
    started = time.perf_counter()
    for _ in range(300):
        changed = bytearray(file)
        at = int(rng.integers(8, len(changed)))
        changed[at] = int(rng.integers(256))
        if at % 3 == 0:
            del changed[at:]
        try:
            rt.io.decode_png(bytes(changed))
        except OpError as error:
            assert isinstance(error, ArgumentValueError)
    assert time.perf_counter() - started < 30


def test_a_header_of_a_huge_picture_takes_no_memory():
    data = header(11_000, 11_000, bits=16, colour=0) + pixels(bytes(1000)) + END
    tracemalloc.start()
    started = time.perf_counter()
    with pytest.raises(ArgumentValueError):
        rt.io.decode_png(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000 and time.perf_counter() - started < 1


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: rt.io.decode_png(GRAY, channels=2), ArgumentValueError, "channels must be 0"),
        (
            lambda: rt.io.decode_png(GRAY, dtype=rt.float32),
            DTypeError,
            "decode_png gives uint8, uin",
        ),
        (lambda: rt.io.decode_png([GRAY, GRAY]), ShapeError, "contents must be a scalar"),
        (lambda: rt.io.decode_png(3), DTypeError, "string"),
        (lambda: rt.io.encode_png(rt.zeros([2, 2, 3])), DTypeError, "rt.cast(image, rt.uint8)"),
        (lambda: rt.io.encode_png(rt.zeros([2, 2], rt.uint8)), ShapeError, "1 to 4 channels"),
        (lambda: rt.io.encode_png(rt.zeros([2, 2, 5], rt.uint8)), ShapeError, "1 to 4 channels"),
        (lambda: rt.io.encode_png(rt.zeros([0, 2, 3], rt.uint8)), ShapeError, "1 to 4 channels"),
        (
            lambda: rt.io.encode_png(rt.zeros([2, 2, 3], rt.uint8), compression=10),
            ArgumentValueError,
            "compression must be between -1 and 9",
        ),
    ],
)
def test_wrong_arguments_are_errors(call, error, words):
    with pytest.raises(error) as found:
        call()
    assert words in found.value.message


# -- other libraries -------------------------------------------------------------------------------


@pytest.mark.skipif(importlib.util.find_spec("PIL") is None, reason="Pillow is not installed")
@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pillow_and_we_read_each_other(mode):
    from PIL import Image

    rng = np.random.default_rng(2)
    noise = Image.fromarray(rng.integers(0, 256, (13, 17, 4)).astype(np.uint8))
    if mode == "I;16":
        image = Image.fromarray(rng.integers(0, 65536, (13, 17)).astype(np.uint16))
    else:
        image = noise.convert(mode)
    file = io.BytesIO()
    image.save(file, "PNG")
    plain = image.convert("RGBA") if mode == "P" else image.convert("L") if mode == "1" else image
    expected = np.asarray(plain)
    expected = expected if expected.ndim == 3 else expected[..., None]
    dtype = rt.uint16 if mode == "I;16" else rt.uint8
    assert np.array_equal(expected, rt.io.decode_png(file.getvalue(), dtype=dtype).numpy())
    again = Image.open(io.BytesIO(rt.io.encode_png(expected).numpy()))
    assert np.array_equal(np.asarray(plain), np.asarray(again))


def test_tensorflow_decodes_the_same():
    """TensorFlow's results, recorded: sums with weights of the samples of each picture."""
    recorded = json.loads((Path(__file__).parent / "tensorflow_png.json").read_text())
    for row in recorded:
        data = bytes.fromhex(row["data"])
        for channels, dtype, shape, total in row["results"]:
            found = rt.io.decode_png(data, channels, dtype).numpy()
            assert (row["kind"], channels, shape) == (row["kind"], channels, list(found.shape))
            assert (row["kind"], channels, total) == (row["kind"], channels, weighted(found))


def weighted(image: np.ndarray) -> int:
    flat = image.reshape(-1).astype(np.int64)
    return int(flat @ (np.arange(flat.size) % 97 + 1))


if __name__ == "__main__":  # records, with TensorFlow
    import tensorflow as tf

    rng = np.random.default_rng(0)
    rows = []
    for colour, bits in ALL_KINDS:
        for interlaced, transparent in ((False, False), (True, True)):
            file = made(rng, (9, 11), colour, bits, interlaced, transparent)
            results = []
            for channels in (0, 1, 3, 4):
                if channels == 4 and bits < 8 and not transparent:
                    continue  # the alpha that TensorFlow adds is nearly transparent
                for dtype in ("uint8", "uint16"):
                    found = tf.io.decode_png(file.data, channels, tf.as_dtype(dtype)).numpy()
                    results.append((channels, dtype, list(found.shape), weighted(found)))
            kind = [colour, bits, interlaced, transparent]
            rows.append({"kind": kind, "data": file.data.hex(), "results": results})
    lines = ",\n".join(json.dumps(row) for row in rows)
    (Path(__file__).parent / "tensorflow_png.json").write_text(f"[\n{lines}\n]\n")
