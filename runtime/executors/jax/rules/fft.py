"""Rules of Fourier transforms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import is_symbol, jnp
from runtime.executors.jax.rules.table import Unsupported, rule


def _check_lengths(x: Any, axes: Any) -> None:
    if any(is_symbol(x.shape[axis]) for axis in axes):
        raise Unsupported("no Fourier transform along an axis whose length only a run knows")


@rule("fourier")
def _fourier(run: Any, node: Any, x: Any, *, axes: Any, inverse: bool) -> Any:
    _check_lengths(x, axes)
    if not math.prod(x.shape):
        return x
    for axis in axes:
        x = (jnp.fft.ifft if inverse else jnp.fft.fft)(x, axis=axis)
    return x


@rule("real_fourier")
def _real_fourier(run: Any, node: Any, x: Any) -> Any:
    _check_lengths(x, (-1,))
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    return jnp.fft.rfft(wide)


@rule("real_from_fourier")
def _real_from_fourier(run: Any, node: Any, x: Any, *, length: int) -> Any:
    return jnp.fft.irfft(x, length)
