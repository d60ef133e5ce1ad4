"""Signals: the namespace `rt.signal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import door

if TYPE_CHECKING:
    from runtime.ops.cosine_transforms import dct as dct
    from runtime.ops.cosine_transforms import idct as idct
    from runtime.ops.cosine_transforms import (
        mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms,
    )
    from runtime.ops.framing import frame as frame
    from runtime.ops.framing import inverse_stft as inverse_stft
    from runtime.ops.framing import inverse_stft_window_fn as inverse_stft_window_fn
    from runtime.ops.framing import overlap_and_add as overlap_and_add
    from runtime.ops.framing import stft as stft
    from runtime.ops.signal_windows import hamming_window as hamming_window
    from runtime.ops.signal_windows import hann_window as hann_window
    from runtime.ops.signal_windows import (
        kaiser_bessel_derived_window as kaiser_bessel_derived_window,
    )
    from runtime.ops.signal_windows import kaiser_window as kaiser_window
    from runtime.ops.signal_windows import (
        linear_to_mel_weight_matrix as linear_to_mel_weight_matrix,
    )
    from runtime.ops.signal_windows import vorbis_window as vorbis_window
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
    from runtime.ops.signals import irfft3d as irfft3d
    from runtime.ops.signals import rfft as rfft
    from runtime.ops.signals import rfft2d as rfft2d
    from runtime.ops.signals import rfft3d as rfft3d
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.ops.cosine_transforms": "dct idct mfccs_from_log_mel_spectrograms",
            "runtime.ops.framing": "frame inverse_stft inverse_stft_window_fn overlap_and_add stft",
            "runtime.ops.signal_windows": (
                "hamming_window hann_window kaiser_bessel_derived_window kaiser_window "
                "linear_to_mel_weight_matrix vorbis_window"
            ),
            "runtime.ops.signals": (
                "fft fft2d fft3d fftshift ifft ifft2d ifft3d ifftshift irfft irfft2d irfft3d "
                "rfft rfft2d rfft3d"
            ),
        },
    )
