"""The extension `fft` of the array API standard."""

from __future__ import annotations

import numpy as np

from runtime.array_api.functions import wrapped
from runtime.array_api.names import FFT

globals().update({name: wrapped(getattr(np.fft, name), name) for name in FFT.split()})
__all__ = sorted(FFT.split())
