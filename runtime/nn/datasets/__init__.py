"""Data sets: the handwritten digits of the package, and MNIST from local files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.datasets import digits as digits
    from runtime.nn.datasets import mnist as mnist
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.datasets": "digits mnist",
        },
    )
