"""Files, by TensorFlow's names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import door

if TYPE_CHECKING:
    from runtime.io import gfile as gfile
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.io": "gfile",
        },
    )
