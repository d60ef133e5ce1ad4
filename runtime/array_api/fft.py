"""The extension `fft` of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.array_api.functions import wrapped
from runtime.array_api.names import FFT

globals().update({name: wrapped(getattr(np.fft, name), name) for name in FFT.split()})
__all__ = sorted(FFT.split())


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    # The functions are NumPy's, under its names.
    def __getattr__(name: str) -> Any: ...
