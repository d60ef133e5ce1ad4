"""Files and pictures, by TensorFlow's names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.io import gfile as gfile
    from runtime.ops.files.contents import read_file as read_file
    from runtime.ops.files.contents import write_file as write_file
    from runtime.ops.files.images import decode_bmp as decode_bmp
    from runtime.ops.files.images import decode_gif as decode_gif
    from runtime.ops.files.images import decode_image as decode_image
    from runtime.ops.files.images import decode_jpeg as decode_jpeg
    from runtime.ops.files.images import decode_png as decode_png
    from runtime.ops.files.images import encode_png as encode_png
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.io": "gfile",
            "runtime.ops.files.contents": "read_file write_file",
            "runtime.ops.files.images": (
                "decode_bmp decode_gif decode_image decode_jpeg decode_png encode_png"
            ),
        },
    )
