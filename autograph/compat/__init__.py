"""The names of TensorFlow and Keras for the parts of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from autograph.compat.import_packages import install as install
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__, {"autograph.compat.import_packages": "install"}
    )
