"""Pictures that Pillow decodes: JPEG, GIF, BMP and WebP."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, OpError, UnimplementedError

JPEG, GIF, BMP, WEBP = "JPEG", "GIF", "BMP", "WebP"
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
# The largest number of samples of all frames.
_LARGEST_SIZE = 2**29


def decode_by_pillow(contents: bytes, kind: str, channels: int, ratio: int) -> Array:
    """Return the frames of a picture, uint8 [frames, height, width, channels].

    Args:
        kind: JPEG, GIF, BMP or WEBP.
        channels: 1, 3 or 4; 0 for those of the file.
        ratio: the factor by which a JPEG is smaller.

    Raises:
        ArgumentValueError: the file is damaged, or too large.
        UnimplementedError: Pillow is not installed.
    """
    opened = _opener(kind)
    try:
        with opened(BytesIO(contents), formats=(kind.upper(),)) as image:
            count = getattr(image, "n_frames", 1) if kind == GIF else 1
            if image.width * image.height * count * 4 > _LARGEST_SIZE:
                raise ArgumentValueError(
                    f"the {kind} is too large: {count} times {image.width} times {image.height}"
                )
            return np.stack([_frame(image, at, kind, channels, ratio) for at in range(count)])
    except OpError:
        raise
    except Exception as error:  # of any class, in parsers of another project
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise ArgumentValueError(f"the {kind} cannot be decoded: {reason}") from None


def _opener(kind: str) -> Any:
    try:
        from PIL.Image import open as opened
    except ImportError:
        raise UnimplementedError(
            f'Pillow decodes {kind}: pip install "autograph-py[images]"'
        ) from None
    return opened


def _frame(image: Any, at: int, kind: str, channels: int, ratio: int) -> Array:
    if at:
        image.seek(at)
    mode = _MODES.get(channels) or _mode_of(image, kind)
    if kind == JPEG:
        # A JPEG has its gray apart, and makes smaller pictures by itself.
        size = (-(-image.width // ratio), -(-image.height // ratio))
        image.draft("L" if mode == "L" else None, size)
    array = np.asarray(image.convert(mode))
    return array[..., None] if array.ndim == 2 else array


def _mode_of(image: Any, kind: str) -> str:
    if kind in (GIF, WEBP) and not (kind == WEBP and image.mode == "RGBA"):
        return "RGB"
    return image.mode if image.mode in ("L", "RGBA") else "RGB"
