"""Inputs for the ops that decode and encode pictures and sounds."""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import uint8, uint16
from runtime.ops.files import png
from runtime.ops.files.wav import ENCODE_WAV
from tests.laws.op_samples import case, f, i

PIXELS = np.arange(24, dtype=np.uint8).reshape(2, 4, 3) * 10
SOUND = f([[0.5, -0.5], [0.25, 1.0], [0.0, -1.0]])


def contents(data: bytes) -> np.ndarray:
    """A scalar string."""
    made = np.empty((), object)
    made[()] = data
    return made


PNG = contents(png.encode(PIXELS, -1))
WAV = ENCODE_WAV.kernel(SOUND, np.array(8000, np.int32))
DECODED = {"ratio": 1, "animated": True, "exact": False}

SAMPLES = [
    *(
        case("decode_image", PNG, function=name, channels=channels, dtype=dtype, **DECODED)
        for name, channels, dtype in (
            ("decode_png", 0, uint8),
            ("decode_png", 4, uint16),
            ("decode_image", 1, uint8),
            ("decode_gif", 3, uint8),
        )
    ),
    case("encode_png", PIXELS, compression=-1),
    case("encode_png", np.stack([PIXELS, PIXELS]).astype(np.uint16), compression=9),
    case("decode_wav", WAV, desired_channels=-1, desired_samples=-1, exact=False),
    case("decode_wav", WAV, desired_channels=1, desired_samples=5),
    case("encode_wav", SOUND, i(8000)),
]
