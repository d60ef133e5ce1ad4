"""Sounds, read by Python's own reader of WAV files."""

from __future__ import annotations

import io
import wave

import numpy as np

from runtime.summary.encodings import wav


def test_python_reads_the_sound() -> None:
    samples = np.array([[0.0, 1.0], [-1.0, 0.5], [2.0, np.nan]])
    with wave.open(io.BytesIO(wav(samples, 8000))) as file:
        assert (2, 2, 8000, 3) == file.getparams()[:4]
        read = np.frombuffer(file.readframes(3), "<i2").reshape(3, 2)
    assert [[0, 32767], [-32767, 16383], [32767, 0]] == read.tolist()
