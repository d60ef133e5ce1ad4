"""WAV: samples, rates and channels, against Python's `wave`; damaged files."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, OpError, ShapeError


def wav(samples: np.ndarray, rate: int = 8000, width: int = 2) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(samples.shape[1])
        writer.setsampwidth(width)
        writer.setframerate(rate)
        writer.writeframes(samples.tobytes())
    return file.getvalue()


SAMPLES = np.array([[0, 1], [-1, 32767], [-32768, 100]], "<i2")
FILE = wav(SAMPLES)


def test_samples_are_parts_of_two_to_the_fifteenth():
    audio, rate = rt.audio.decode_wav(FILE)
    assert np.array_equal(SAMPLES / 32768, audio.numpy())
    assert (rt.float32, rt.int32, 8000) == (audio.dtype, rate.dtype, int(rate))


@pytest.mark.parametrize(
    "channels, count, columns, rows",
    [
        (1, -1, [0], 3),
        (3, -1, [0, 1, 1], 3),
        (0, -1, [], 3),
        (-1, 2, [0, 1], 2),
        (-1, 5, [0, 1], 5),
    ],
)
def test_channels_are_repeated_and_samples_are_padded(channels, count, columns, rows):
    found = rt.audio.decode_wav(FILE, channels, count).audio.numpy()
    expected = np.zeros((rows, len(columns)))
    expected[:3] = (SAMPLES[:, columns] / 32768)[:rows]
    assert np.array_equal(expected, found)


# TensorFlow's results: halves are rounded away from zero, and what is no number is silent.
ENCODED = {
    0.0: 0, 0.5: 16384, -0.5: -16384, 1.0: 32767, -1.0: -32768, 2.0: 32767, -3.0: -32768,
    float("nan"): 0, 1e-5: 0, 0.3: 9830, 1.5 / 32768: 2, -1.5 / 32768: -2, 2.5 / 32768: 3,
}  # fmt: skip


def test_floats_become_16_bits():
    data = rt.audio.encode_wav(np.array([[each] for each in ENCODED], np.float32), 8000).numpy()
    with wave.open(io.BytesIO(data)) as file:
        assert (1, 2, 8000, len(ENCODED)) == file.getparams()[:4]
        found = np.frombuffer(file.readframes(100), "<i2")
    assert [*ENCODED.values()] == found.tolist()


@given(st.integers(0, 30), st.integers(1, 5), st.integers(1, 2**31 - 1), st.integers(0, 99))
def test_what_is_encoded_is_decoded_again(count, channels, rate, seed):
    if rate * channels * 2 >= 2**32:
        rate //= 10
    samples = np.random.default_rng(seed).integers(-(2**15), 2**15, (count, channels))
    audio = (samples / 2**15).astype(np.float32)
    found = rt.audio.decode_wav(rt.audio.encode_wav(audio, rate))
    assert np.array_equal(audio, found.audio.numpy()) and rate == int(found.sample_rate)


def test_graphs_know_sizes_that_are_asked_for():
    @ag.function(input_signature=[rt.TensorSpec([], rt.string)])
    def louder(data):
        sound = rt.audio.decode_wav(data, 1, 5)
        return rt.audio.encode_wav(sound.audio * 2.0, sound.sample_rate)

    found = rt.audio.decode_wav(louder(FILE)).audio.numpy()[:, 0]
    assert [0.0, -2 / 32768, -1.0, 0.0, 0.0] == found.tolist()
    assert "float32[5, 1]" in louder.get_concrete_function().graph.as_text()


@pytest.mark.parametrize(
    "data, words",
    [
        (b"", "it is too short"),
        (b"RIFF", "it is too short"),
        (b"text that is no sound", "file does not start with RIFF id"),
        (FILE[:30], "cannot be decoded"),
        (FILE[:-3], "it has fewer samples than its header says"),
        (wav(np.zeros((3, 1), np.int8), width=1), "its samples have 8 bits, and 16 are needed"),
        (wav(np.zeros((3, 1), np.int32), width=4), "its samples have 32 bits, and 16 are needed"),
        (FILE.replace((12).to_bytes(4, "little"), b"\xf0\xff\xff\xff"), "fewer samples"),
    ],
)
def test_a_damaged_file_is_one_error(data, words):
    with pytest.raises(ArgumentValueError) as found:
        rt.audio.decode_wav(data)
    assert words in found.value.message and "\n" not in found.value.message


def test_changed_bytes_give_sounds_or_errors_of_ours():
    rng = np.random.default_rng(0)
    for _ in range(500):
        changed = bytearray(FILE)
        for at in rng.integers(0, len(changed), 2):
            changed[at] = int(rng.integers(256))
        try:
            rt.audio.decode_wav(bytes(changed[: int(rng.integers(20, len(changed) + 1))]))
        except OpError as error:
            assert isinstance(error, ArgumentValueError)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (
            lambda: rt.audio.decode_wav(FILE, -2),
            ArgumentValueError,
            "desired_channels must be at least 0, or -1 for ",
        ),
        (
            lambda: rt.audio.decode_wav(FILE, 1, -5),
            ArgumentValueError,
            "desired_samples must be at least 0, or -1 ",
        ),
        (lambda: rt.audio.decode_wav([FILE, FILE]), ShapeError, "contents must be a scalar"),
        (lambda: rt.audio.encode_wav([0.5], 8000), ShapeError, "[samples, channels]"),
        (lambda: rt.audio.encode_wav(rt.zeros([3, 0]), 8000), ShapeError, "[samples, channels]"),
        (
            lambda: rt.audio.encode_wav([[0.5]], 0),
            ArgumentValueError,
            "sample_rate must be at least 1",
        ),
        (lambda: rt.audio.encode_wav([[0.5]], [8000]), ShapeError, "sample_rate must be a scalar"),
        (lambda: rt.audio.encode_wav(rt.constant([[1]]), 8000), DTypeError, "float32"),
    ],
)
def test_wrong_arguments_are_errors(call, error, words):
    with pytest.raises(error) as found:
        call()
    assert words in found.value.message
