"""Overlapping frames of signals: `frame`, `stft` and their inverses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.argument_checks import flag, function
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat, tile
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.padding import pad
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.segments import unsorted_segment_sum
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.unary import square
from runtime.ops.linalg.matrices import transpose
from runtime.ops.signal.transforms import extended, irfft, rfft
from runtime.ops.signal.windows import hann_window

Window = Callable[..., Tensor]


def frame(
    signal: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: AxisLike = -1,
    name: str | None = None,
) -> Tensor:
    """Return frames of a signal, one every `frame_step` elements.

    Args:
        signal: a tensor of rank 1 or more.
        frame_length: the number of elements in a frame.
        pad_end: whether frames begin up to the end of the signal, and are padded with `pad_value`;
            else only complete frames are returned.
        axis: the axis of time, which becomes two: frames, and the elements of a frame.

    Raises:
        ShapeError: the signal is a scalar, or a length or step is less than 1.
        ArgumentValueError: a length or step is no int.

    >>> print(frame([1, 2, 3, 4, 5], 3, 2))
    rt.Tensor(
    [[1 2 3]
     [3 4 5]], shape=(2, 3), dtype=int32)
    """
    x, along = to_tensor(signal), static_int(axis, "axis")
    length, step = _positive(frame_length, "frame_length"), _positive(frame_step, "frame_step")
    if x.shape.rank == 0:
        raise ShapeError("frame: signal must have a rank of 1 or more")
    infer.checked_axes(x.spec, along)
    size = _size(x, along)
    if flag(pad_end, "pad_end"):
        count = -(-size // step)
        missing = _at_least_0(length + step * (count - 1) - size)
        x = extended(x, missing, pad_value, along)
    else:
        count = _at_least_0(1 + (size - length) // step)
    starts = reshape(numbers(count) * step, [-1, 1])
    return gather(x, starts + numbers(length), axis=along)


def overlap_and_add(signal: TensorLike, frame_step: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of frames that begin every `frame_step` elements.

    It undoes `frame` if frames do not overlap.

    Args:
        signal: of shape (..., frames, elements of a frame).

    Raises:
        ShapeError: the rank is less than 2.

    >>> print(overlap_and_add([[1, 2], [3, 4]], 1))
    rt.Tensor([1 5 4], shape=(3,), dtype=int32)
    """
    x, step = to_tensor(signal), _positive(frame_step, "frame_step")
    if x.shape.rank is not None and x.shape.rank < 2:
        raise ShapeError(
            f"overlap_and_add: signal must have a rank of 2 or more, not shape {x.shape}"
        )
    count, length = _size(x, -2), _size(x, -1)
    places = reshape(numbers(count) * step, [-1, 1]) + numbers(length)
    rows = transpose(reshape(x, concat([[-1], [count * length]], 0)))
    whole = _at_least_0((count - 1) * step + length)
    summed = transpose(unsorted_segment_sum(rows, reshape(places, [-1]), whole))
    lead = list(x.shape[:-2]) if x.shape.rank is not None else [None]
    if None not in lead:
        return reshape(summed, [*lead, whole])
    return reshape(summed, concat([shape(x)[:-2], [whole]], 0))


def stft(
    signals: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: Window | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the spectrum of each frame of signals: the short-time Fourier transform.

    Args:
        signals: float32 or float64 of shape (..., samples).
        fft_length: the number of elements to transform; by default the next power of 2.
        window_fn: called with the length of a frame and `dtype=`, returns the factors of its
            elements; None for no window.

    Returns:
        Complex numbers of shape (..., frames, fft_length // 2 + 1).

    >>> stft([1.0, 2.0, 3.0, 4.0, 5.0], 4, 1).shape
    TensorShape([2, 3])
    """
    x, length = to_tensor(signals), _positive(frame_length, "frame_length")
    frames = frame(x, length, frame_step, pad_end)
    if window_fn is not None:
        frames = frames * function(window_fn, "window_fn")(length, dtype=x.dtype)
    return rfft(frames, [_transform_length(fft_length, length)])


def inverse_stft(
    stfts: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: Window | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """Return the signals whose frames have the given spectra.

    With `window_fn=inverse_stft_window_fn(frame_step)` it undoes `stft`.

    >>> inverse_stft(stft([1.0, 2.0, 3.0, 4.0, 5.0], 4, 1), 4, 1).shape
    TensorShape([5])
    """
    length = _positive(frame_length, "frame_length")
    transformed = _transform_length(fft_length, length)
    frames = irfft(stfts, [transformed])
    if length > transformed:
        frames = extended(frames, length - transformed)
    frames = frames[..., :length]
    if window_fn is not None:
        frames = frames * function(window_fn, "window_fn")(length, dtype=frames.dtype)
    return overlap_and_add(frames, frame_step)


def inverse_stft_window_fn(
    frame_step: TensorLike, forward_window_fn: Window = hann_window, name: str | None = None
) -> Window:
    """Return a window function with which `inverse_stft` undoes `stft`.

    >>> window = inverse_stft_window_fn(2)(4, dtype="float32")
    >>> print(window)
    rt.Tensor([0. 1. 1. 1.], shape=(4,), dtype=float32)
    """
    step = _positive(frame_step, "frame_step")
    function(forward_window_fn, "forward_window_fn")

    def inverse_window(frame_length: Any, dtype: Any) -> Tensor:
        length = _positive(frame_length, "frame_length")
        window = forward_window_fn(length, dtype=dtype)
        overlaps = -(-length // step)
        squares = pad(square(window), [[0, overlaps * step - length]])
        total = reduce_sum(reshape(squares, [overlaps, step]), 0, keepdims=True)
        return window / reshape(tile(total, [overlaps, 1]), [-1])[:length]

    return inverse_window


def _positive(value: Any, what: str) -> int:
    number = static_int(value, what)
    if number < 1:
        raise ShapeError(f"{what} must be 1 or more, not {number}")
    return number


def _size(x: Tensor, axis: int) -> Any:
    known = None if x.shape.rank is None else x.shape[axis]
    return shape(x)[axis] if known is None else known


def _at_least_0(number: Any) -> Any:
    if isinstance(number, int):
        return max(number, 0)
    return number * strong_cast(number > 0, number.dtype)


def _transform_length(fft_length: Any, frame_length: int) -> int:
    if fft_length is None:
        return 1 << (frame_length - 1).bit_length()
    return _positive(fft_length, "fft_length")
