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

    fft: of.Transform
    fftfreq: of.Frequencies
    fftn: of.TransformN
    fftshift: of.Shift
    hfft: of.Transform
    ifft: of.Transform
    ifftn: of.TransformN
    ifftshift: of.Shift
    ihfft: of.Transform
    irfft: of.Transform
    irfftn: of.TransformN
    rfft: of.Transform
    rfftfreq: of.Frequencies
    rfftn: of.TransformN
