"""TensorFlow's API for many devices, for programs that run on the only device here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.one_device import config as config
    from runtime.one_device import distribute as distribute
    from runtime.one_device import profiler as profiler
    from runtime.one_device import saving as saving
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__, {"runtime.one_device": "config distribute profiler saving"}
    )
