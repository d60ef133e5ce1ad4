"""Pictures by Pillow: formats, channels, frames, damaged files, and the error without Pillow."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, OpError, UnimplementedError

SMOOTH = np.add.outer(np.arange(24) * 5, np.arange(40) * 3).astype(np.uint8)
RGB = np.stack([SMOOTH, SMOOTH[::-1], 255 - SMOOTH], -1)


def saved(image: np.ndarray, kind: str, mode: str | None = None, **options: Any) -> bytes:
    pillow = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    picture = pillow.fromarray(image)
    (picture if mode is None else picture.convert(mode)).save(file, kind, **options)
    return file.getvalue()


def animated() -> bytes:
    pillow = pytest.importorskip("PIL.Image")
    frames = [pillow.fromarray(np.full((3, 4, 3), value, np.uint8)) for value in (0, 90, 180)]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    return file.getvalue()


@pytest.mark.parametrize("function", ["decode_jpeg", "decode_png", "decode_image"])
def test_a_jpeg_is_decoded(function):
    data = saved(RGB, "JPEG", quality=95)
    found = getattr(rt.io, function)(data).numpy()
    assert (24, 40, 3) == found.shape
    assert np.abs(found.astype(int) - RGB).mean() < 4
    gray = getattr(rt.io, function)(data, 1).numpy()
    assert (24, 40, 1) == gray.shape
    assert np.abs(gray[..., 0] - RGB @ np.array([0.299, 0.587, 0.114])).mean() < 4
    assert (24, 40, 1) == rt.io.decode_jpeg(saved(SMOOTH, "JPEG")).shape
    assert (24, 40, 3) == rt.io.decode_jpeg(saved(RGB, "JPEG", "CMYK")).shape


def test_a_jpeg_is_decoded_smaller():
    data = saved(RGB, "JPEG")
    shapes = [tuple(rt.io.decode_jpeg(data, ratio=ratio).shape) for ratio in (1, 2, 4, 8)]
    assert [(24, 40, 3), (12, 20, 3), (6, 10, 3), (3, 5, 3)] == shapes


def test_a_gif_has_frames():
    data = animated()
    frames = rt.io.decode_gif(data).numpy()
    assert (3, 3, 4, 3) == frames.shape
    assert [0, 90, 180] == frames[:, 0, 0, 0].tolist()
    assert np.array_equal(frames, rt.io.decode_image(data).numpy())
    first = rt.io.decode_image(data, expand_animations=False).numpy()
    assert np.array_equal(frames[0], first)
    with pytest.raises(ArgumentValueError, match="the GIF has 3 frames: write decode_gif"):
        rt.io.decode_png(data)
    with pytest.raises(ArgumentValueError, match="channels must be one of 0, 3 for a GIF, not 1"):
        rt.io.decode_image(data, 1)


@pytest.mark.parametrize("kind", ["BMP", "WEBP"])
def test_bmp_and_webp_are_decoded(kind):
    data = saved(RGB, kind, **({"lossless": True} if kind == "WEBP" else {}))
    assert np.array_equal(RGB, rt.io.decode_image(data).numpy())
    assert (255 == rt.io.decode_image(data, 4).numpy()[..., 3]).all()
    scaled = rt.io.decode_image(data, dtype=rt.float32).numpy()
    assert np.allclose(RGB / 255, scaled, atol=1e-6) and np.float32 == scaled.dtype
    assert np.array_equal(RGB.astype(int) * 256, rt.io.decode_image(data, dtype=rt.uint16).numpy())


def test_a_bmp_with_a_palette_has_its_colours():
    two = np.zeros((4, 6, 3), np.uint8)
    two[:, 3:] = (204, 102, 51)  # of the palette that Pillow chooses
    assert np.array_equal(two, rt.io.decode_bmp(saved(two, "BMP", "P")).numpy())


def test_a_bmp_is_for_its_own_function():
    data = saved(RGB, "BMP")
    with pytest.raises(ArgumentValueError, match="decode_png does not decode BMP: write decode_b"):
        rt.io.decode_png(data)
    with pytest.raises(ArgumentValueError, match="decode_bmp does not decode JPEG: write decode_j"):
        rt.io.decode_bmp(saved(RGB, "JPEG"))


def test_a_picture_of_another_format_is_refused():
    for data in (saved(RGB, "TIFF"), b"RIFF1234WAVEfmt "):
        with pytest.raises(ArgumentValueError, match="contents must be an image"):
            rt.io.decode_image(data)


def test_damaged_pictures_are_errors_of_ours():
    rng = np.random.default_rng(0)
    for data in (saved(RGB, "JPEG"), animated(), saved(RGB, "BMP"), saved(RGB, "WEBP")):
        for _ in range(40):
            changed = bytearray(data)
            for at in rng.integers(0, len(changed), 4):
                changed[at] = int(rng.integers(256))
            del changed[int(rng.integers(4, len(changed))) :]
            try:
                rt.io.decode_image(bytes(changed))
            except OpError as error:
                assert "\n" not in error.message
    with pytest.raises(ArgumentValueError, match="the JPEG cannot be decoded"):
        rt.io.decode_jpeg(saved(RGB, "JPEG")[:300])


def test_a_huge_size_takes_no_memory():
    data = bytearray(saved(RGB, "BMP"))
    data[18:26] = (40_000).to_bytes(4, "little") + (40_000).to_bytes(4, "little")
    with pytest.raises(ArgumentValueError, match="BMP"):
        rt.io.decode_bmp(bytes(data))


def test_without_pillow_the_error_names_the_package_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(UnimplementedError) as found:
        rt.io.decode_jpeg(b"\xff\xd8\xff...")
    assert 'Pillow decodes JPEG: pip install "autograph-py[images]"' in found.value.message
