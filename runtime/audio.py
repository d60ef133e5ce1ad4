"""Sounds: the namespace `rt.audio`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.ops.files.wav import DecodedWav as DecodedWav
    from runtime.ops.files.wav import decode_wav as decode_wav
    from runtime.ops.files.wav import encode_wav as encode_wav
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.ops.files.wav": "DecodedWav decode_wav encode_wav",
        },
    )
