"""PNG pictures: scaled as in TensorFlow, and read by another reader."""

from __future__ import annotations

import io

import numpy as np
import pytest

from runtime.summary.encodings import as_bytes, png


# Recorded from `tf.image.convert_image_dtype(x, tf.uint8, saturate=True)` of TensorFlow 2.21.
@pytest.mark.parametrize(
    ("pixels", "expected"),
    [
        (np.array([-0.5, 0.2, 0.5, 0.999, 1.0, 1.5], np.float32), [0, 51, 127, 255, 255, 255]),
        (np.array([3, 300, 2**31 - 1, -5], np.int32), [0, 0, 255, 0]),
        (np.array([3, 300, 65535], np.uint16), [0, 1, 255]),
        (np.array([3, -5, 127], np.int8), [6, 0, 254]),
        (np.array([3, 200], np.uint8), [3, 200]),
    ],
)
def test_pixels_are_scaled_as_in_tensorflow(pixels: np.ndarray, expected: list[int]) -> None:
    assert expected == as_bytes(pixels).tolist()


def test_nan_is_black() -> None:
    assert [0, 255, 0] == as_bytes(np.array([np.nan, np.inf, -np.inf])).tolist()


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_another_png_reader_finds_the_same_pixels(channels: int) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(channels).integers(0, 256, (5, 7, channels), np.uint8)
    read = np.asarray(image.open(io.BytesIO(png(pixels))))
    np.testing.assert_array_equal(pixels, read.reshape(pixels.shape))
