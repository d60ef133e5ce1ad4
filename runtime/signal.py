"""Signals: the namespace `rt.signal`."""

from __future__ import annotations

from runtime.ops.signals import fft as fft
from runtime.ops.signals import fft2d as fft2d
from runtime.ops.signals import fft3d as fft3d
from runtime.ops.signals import fftshift as fftshift
from runtime.ops.signals import ifft as ifft
from runtime.ops.signals import ifft2d as ifft2d
from runtime.ops.signals import ifft3d as ifft3d
from runtime.ops.signals import ifftshift as ifftshift
from runtime.ops.signals import irfft as irfft
from runtime.ops.signals import irfft2d as irfft2d
from runtime.ops.signals import rfft as rfft
from runtime.ops.signals import rfft2d as rfft2d
