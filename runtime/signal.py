"""Signals: the namespace `rt.signal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.ops.signal.cosine_transforms import dct as dct
    from runtime.ops.signal.cosine_transforms import idct as idct
    from runtime.ops.signal.cosine_transforms import (
        mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms,
    )
    from runtime.ops.signal.framing import frame as frame
    from runtime.ops.signal.framing import inverse_stft as inverse_stft
    from runtime.ops.signal.framing import inverse_stft_window_fn as inverse_stft_window_fn
    from runtime.ops.signal.framing import overlap_and_add as overlap_and_add
    from runtime.ops.signal.framing import stft as stft
    from runtime.ops.signal.transforms import fft as fft
    from runtime.ops.signal.transforms import fft2d as fft2d
    from runtime.ops.signal.transforms import fft3d as fft3d
    from runtime.ops.signal.transforms import fftshift as fftshift
    from runtime.ops.signal.transforms import ifft as ifft
    from runtime.ops.signal.transforms import ifft2d as ifft2d
    from runtime.ops.signal.transforms import ifft3d as ifft3d
    from runtime.ops.signal.transforms import ifftshift as ifftshift
    from runtime.ops.signal.transforms import irfft as irfft
    from runtime.ops.signal.transforms import irfft2d as irfft2d
    from runtime.ops.signal.transforms import irfft3d as irfft3d
    from runtime.ops.signal.transforms import rfft as rfft
    from runtime.ops.signal.transforms import rfft2d as rfft2d
    from runtime.ops.signal.transforms import rfft3d as rfft3d
    from runtime.ops.signal.windows import hamming_window as hamming_window
    from runtime.ops.signal.windows import hann_window as hann_window
    from runtime.ops.signal.windows import (
        kaiser_bessel_derived_window as kaiser_bessel_derived_window,
    )
    from runtime.ops.signal.windows import kaiser_window as kaiser_window
    from runtime.ops.signal.windows import (
        linear_to_mel_weight_matrix as linear_to_mel_weight_matrix,
    )
    from runtime.ops.signal.windows import vorbis_window as vorbis_window
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.ops.signal.cosine_transforms": "dct idct mfccs_from_log_mel_spectrograms",
            "runtime.ops.signal.framing": (
                "frame inverse_stft inverse_stft_window_fn overlap_and_add stft"
            ),
            "runtime.ops.signal.windows": (
                "hamming_window hann_window kaiser_bessel_derived_window kaiser_window "
                "linear_to_mel_weight_matrix vorbis_window"
            ),
            "runtime.ops.signal.transforms": (
                "fft fft2d fft3d fftshift ifft ifft2d ifft3d ifftshift irfft irfft2d irfft3d "
                "rfft rfft2d rfft3d"
            ),
        },
    )
