"""WAV encoding of audio: 16-bit samples, interleaved channels."""

from __future__ import annotations

import struct

import numpy as np

from runtime.core.tensor import Array

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
    inside = b"WAVE" + _chunk(b"fmt ", form) + _chunk(b"data", body)
    return _chunk(b"RIFF", inside)


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content
