"""The extension `fft` of the array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from runtime.array_api.functions import wrapped
from runtime.array_api.names import FFT

globals().update({name: wrapped(getattr(np.fft, name), name) for name in FFT.split()})
__all__ = sorted(FFT.split())


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from runtime.array_api import signatures as of

    fft: of.TransformFunction
    fftfreq: of.FrequenciesFunction
    fftn: of.TransformNFunction
    fftshift: of.ShiftFunction
    hfft: of.TransformFunction
    ifft: of.TransformFunction
    ifftn: of.TransformNFunction
    ifftshift: of.ShiftFunction
    ihfft: of.TransformFunction
    irfft: of.TransformFunction
    irfftn: of.TransformNFunction
    rfft: of.TransformFunction
    rfftfreq: of.FrequenciesFunction
    rfftn: of.TransformNFunction
