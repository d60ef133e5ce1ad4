"""Ops that decode and encode WAV files of 16-bit samples."""

from __future__ import annotations

import wave
from io import BytesIO
from typing import NamedTuple

import numpy as np

from runtime.core.dtypes import float32, int32, string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.infer import check_integer, check_scalar
from runtime.ops.op import apply, define

_SCALE = 2**15
_WIDTH = 2
_MOST_CHANNELS = 2**16 - 1
_MOST_BYTES = 2**32 - 64


class DecodedWav(NamedTuple):
    """The samples and the sample rate of a sound.

    Attributes:
        audio: float32 [samples, channels], between -1 and 1.
        sample_rate: the number of samples a second, an int32 scalar.

    >>> int(decode_wav(encode_wav([[0.5]], 8000)).sample_rate)
    8000
    """

    audio: Tensor
    sample_rate: Tensor


# -- decoding --------------------------------------------------------------------------------------


def _decode_kernel(
    contents: Array, *, desired_channels: int, desired_samples: int
) -> tuple[Array, Array]:
    check_scalar(TensorSpec.of_array(contents), "contents")
    samples, rate = _read(contents.item())
    channels = samples.shape[1] if desired_channels < 0 else desired_channels
    # The last channel stands for those that are missing.
    chosen = samples[:, np.minimum(np.arange(channels), samples.shape[1] - 1)]
    count = len(chosen) if desired_samples < 0 else desired_samples
    audio = np.zeros((count, channels), np.float32)
    audio[: len(chosen)] = chosen[:count] / np.float32(_SCALE)
    return audio, np.array(rate, np.int32)


def _read(contents: bytes) -> tuple[Array, int]:
    """Return the samples of a file, int16 [samples, channels], and their rate."""
    try:
        with wave.open(BytesIO(contents), "rb") as file:
            channels, width, rate, count = file.getparams()[:4]
            data = file.readframes(count)
    except (wave.Error, EOFError, RuntimeError, OverflowError, ZeroDivisionError) as error:
        raise _damaged(str(error) or "it is too short") from None
    if width != _WIDTH:
        raise _damaged(f"its samples have {8 * width} bits, and 16 are needed")
    if len(data) != count * channels * width:
        raise _damaged("it has fewer samples than its header says")
    if not 0 < rate < 2**31:
        raise _damaged(f"its rate is {rate}")
    return np.frombuffer(data, "<i2").reshape(count, channels), rate


def _damaged(reason: str) -> ArgumentValueError:
    return ArgumentValueError(f"the WAV cannot be decoded: {reason}")


def _decode_infer(
    contents: TensorSpec, *, desired_channels: int, desired_samples: int
) -> tuple[TensorSpec, TensorSpec]:
    check_scalar(contents, "contents")
    sizes = {"desired_samples": desired_samples, "desired_channels": desired_channels}
    for name, size in sizes.items():
        if size < -1:
            raise ArgumentValueError(
                f"{name} must be at least 0, or -1 for all of the file, not {size}"
            )
    if desired_channels > _MOST_CHANNELS:
        raise ArgumentValueError(f"desired_channels must be at most {_MOST_CHANNELS}")
    shape = [None if size < 0 else size for size in sizes.values()]
    return TensorSpec(shape, float32), TensorSpec([], int32)


# -- encoding --------------------------------------------------------------------------------------


def _encode_kernel(audio: Array, sample_rate: Array) -> Array:
    check_scalar(TensorSpec.of_array(sample_rate), "sample_rate")
    rate, channels = int(sample_rate), audio.shape[1]
    if rate < 1:
        raise ArgumentValueError(f"sample_rate must be at least 1, not {rate}")
    if audio.size * _WIDTH > _MOST_BYTES or rate * channels * _WIDTH >= 2**32:
        raise ArgumentValueError("the sound is too long for a WAV file")
    scaled = audio.astype(np.float64) * _SCALE
    # Halves are rounded away from zero.
    rounded = np.trunc(scaled + np.copysign(0.5, scaled))
    samples = np.nan_to_num(np.clip(rounded, -_SCALE, _SCALE - 1), nan=0.0).astype("<i2")
    file, contents = BytesIO(), np.empty((), object)
    with wave.open(file, "wb") as writer:
        writer.setparams((channels, _WIDTH, rate, len(audio), "NONE", ""))
        writer.writeframesraw(samples.tobytes())
    contents[()] = file.getvalue()
    return contents


def _encode_infer(audio: TensorSpec, sample_rate: TensorSpec) -> TensorSpec:
    if audio.dtype is not float32:
        raise DTypeError(f"audio must be float32, not {audio.dtype.name}")
    dims = audio.shape.dims
    if dims is not None and (len(dims) != 2 or dims[1] == 0 or (dims[1] or 0) > _MOST_CHANNELS):
        raise ShapeError(f"audio must have the shape [samples, channels], not {audio.shape}")
    check_integer(sample_rate, "sample_rate")
    check_scalar(sample_rate, "sample_rate")
    return TensorSpec([], string)


DECODE_WAV = define(
    "decode_wav",
    _decode_kernel,
    _decode_infer,
    kinds="O",
    tensorflow_name="DecodeWav",
    n_outputs=2,
)
ENCODE_WAV = define(
    "encode_wav", _encode_kernel, _encode_infer, kinds="f", tensorflow_name="EncodeWav"
)


def decode_wav(
    contents: TensorLike,
    desired_channels: int = -1,
    desired_samples: int = -1,
    name: str | None = None,
) -> DecodedWav:
    """Return the sound in the bytes of a WAV file of 16-bit samples, and its rate.

    Args:
        contents: a scalar string tensor, as `rt.io.read_file` returns.
        desired_channels: the number of channels; the last one of the file is repeated, others are
            left out. -1 for those of the file.
        desired_samples: the number of samples; zeros follow those of the file. -1 for all.

    Raises:
        ArgumentValueError: the contents are damaged, or not 16-bit samples.

    >>> import autograph.runtime as rt
    >>> sound = decode_wav(encode_wav([[0.5], [-0.25]], 8000))
    >>> print(sound.audio[:, 0], int(sound.sample_rate))
    rt.Tensor([ 0.5  -0.25], shape=(2,), dtype=float32) 8000
    """
    audio, rate = apply(
        DECODE_WAV,
        (to_tensor(contents, string),),
        desired_channels=static_int(desired_channels, "desired_channels"),
        desired_samples=static_int(desired_samples, "desired_samples"),
    )
    return DecodedWav(audio, rate)


def encode_wav(audio: TensorLike, sample_rate: TensorLike, name: str | None = None) -> Tensor:
    """Return the bytes of a WAV file of 16-bit samples, a scalar string tensor.

    Args:
        audio: float32 [samples, channels]; numbers beyond -1 and 1 are cut.
        sample_rate: the number of samples a second, an int32 scalar.

    Raises:
        ShapeError: the audio has no channels, or is no matrix.
        DTypeError: the audio is not float32.
        ArgumentValueError: the rate is below 1, or the sound is too long for a file.

    >>> encode_wav([[0.0], [1.0]], 8000).numpy()[:4]
    b'RIFF'
    """
    result: Tensor = apply(ENCODE_WAV, (to_tensor(audio, float32), to_tensor(sample_rate, int32)))
    return result
