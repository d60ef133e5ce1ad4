"""Fourier transforms of signals, and their frequency order."""

from __future__ import annotations

from typing import Any

from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import known_array, static_axes
from runtime.ops.arrays.concatenation import concat, roll
from runtime.ops.arrays.creation import fill
from runtime.ops.arrays.padding import pad
from runtime.ops.arrays.shape import shape
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply
from runtime.ops.signal.fourier import FOURIER, REAL_FOURIER, REAL_FROM_FOURIER


def fft(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the Fourier transform of complex numbers along the last axis.

    Args:
        input: complex64 or complex128, of rank 1 or more; the result has its dtype and shape.

    Raises:
        DTypeError: the input is of another dtype.
        ShapeError: it has fewer axes.

    >>> fft([1 + 0j, 0, 0, 0]).numpy().tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return _transformed(input, 1, False)


def ifft(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse Fourier transform along the last axis; undoes `fft`.

    Args:
        input: complex64 or complex128, of rank 1 or more; the result has its dtype and shape.

    Raises:
        DTypeError: the input is of another dtype.
        ShapeError: it has fewer axes.

    >>> ifft([1 + 0j, 1, 1, 1]).numpy().tolist()
    [(1+0j), 0j, 0j, 0j]
    """
    return _transformed(input, 1, True)


def fft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the Fourier transform along the last two axes; see `fft`.

    Args:
        input: complex64 or complex128, of rank 2 or more; the result has its dtype and shape.

    Raises:
        DTypeError: the input is of another dtype.
        ShapeError: it has fewer axes.

    >>> fft2d([[1 + 0j, 0], [0, 0]]).numpy().tolist()
    [[(1+0j), (1+0j)], [(1+0j), (1+0j)]]
    """
    return _transformed(input, 2, False)


def ifft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse Fourier transform along the last two axes; undoes `fft2d`.

    Args:
        input: complex64 or complex128, of rank 2 or more; the result has its dtype and shape.

    Raises:
        DTypeError: the input is of another dtype.
        ShapeError: it has fewer axes.

    >>> ifft2d([[1 + 0j, 1], [1, 1]]).numpy().tolist()
    [[(1+0j), 0j], [0j, 0j]]
    """
    return _transformed(input, 2, True)


def fft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the Fourier transform along the last three axes; see `fft`.

    Args:
        input: complex64 or complex128, of rank 3 or more; the result has its dtype and shape.

    Raises:
        DTypeError: the input is of another dtype.
        ShapeError: it has fewer axes.

    >>> fft3d([[[1 + 0j, 2]]]).numpy().tolist()
    [[[(3+0j), (-1+0j)]]]
    """
    return _transformed(input, 3, False)


def ifft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse Fourier transform along the last three axes; undoes `fft3d`.

    Args:
        input: complex64 or complex128, of rank 3 or more; the result has its dtype and shape.

    Raises:
        DTypeError: the input is of another dtype.
        ShapeError: it has fewer axes.

    >>> ifft3d([[[3 + 0j, -1]]]).numpy().tolist()
    [[[(1+0j), (2+0j)]]]
    """
    return _transformed(input, 3, True)


def _transformed(input: Any, count: int, inverse: bool) -> Tensor:
    result: Tensor = apply(
        FOURIER, (to_tensor(input),), axes=tuple(range(-count, 0)), inverse=inverse
    )
    return result


def rfft(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the spectrum of real numbers along the last axis: the first n // 2 + 1 of n.

    Args:
        input_tensor: float32 or float64.
        fft_length: a vector with the number n of elements to transform, or None for all: the input
            is truncated or padded with zeros.

    Raises:
        DTypeError: the input is of another dtype, or `fft_length` not of integers.
        ShapeError: the input has fewer axes, or `fft_length` another number of sizes.
        ArgumentValueError: a size in `fft_length` is less than 1.

    >>> rfft([1.0, 0.0, 0.0]).numpy().tolist()
    [(1+0j), (1+0j)]
    """
    x = _resized(to_tensor(input_tensor), _lengths(fft_length, 1))
    result: Tensor = apply(REAL_FOURIER, (x,))
    return result


def rfft2d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the spectrum of real numbers along the last two axes; see `rfft`.

    Args:
        input_tensor: float32 or float64.
        fft_length: a vector of the two sizes to transform, or None for those of the input.

    Raises:
        DTypeError: the input is of another dtype, or `fft_length` not of integers.
        ShapeError: the input has fewer axes, or `fft_length` another number of sizes.
        ArgumentValueError: a size in `fft_length` is less than 1.

    >>> rfft2d([[1.0, 2.0], [3.0, 4.0]]).numpy().tolist()
    [[(10+0j), (-2+0j)], [(-4+0j), 0j]]
    """
    x = _resized(to_tensor(input_tensor), _lengths(fft_length, 2))
    half = apply(REAL_FOURIER, (x,))
    result: Tensor = apply(FOURIER, (half,), axes=(-2,), inverse=False)
    return result


def rfft3d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the spectrum of real numbers along the last three axes; see `rfft`.

    Args:
        input_tensor: float32 or float64.
        fft_length: a vector of the three sizes to transform, or None for those of the input.

    Raises:
        DTypeError: the input is of another dtype, or `fft_length` not of integers.
        ShapeError: the input has fewer axes, or `fft_length` another number of sizes.
        ArgumentValueError: a size in `fft_length` is less than 1.

    >>> rfft3d([[[1.0, 2.0]]]).numpy().tolist()
    [[[(3+0j), (-1+0j)]]]
    """
    x = _resized(to_tensor(input_tensor), _lengths(fft_length, 3))
    half = apply(REAL_FOURIER, (x,))
    result: Tensor = apply(FOURIER, (half,), axes=(-3, -2), inverse=False)
    return result


def irfft(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the real numbers with the given spectrum along the last axis; the inverse of `rfft`.

    Args:
        input_tensor: complex numbers, the first n // 2 + 1 of n.
        fft_length: a vector with n; by default 2 less than twice the number of frequencies.

    Raises:
        DTypeError: the input is of another dtype, or `fft_length` not of integers.
        ShapeError: the input has fewer axes, or `fft_length` another number of sizes.
        ArgumentValueError: a size in `fft_length` is less than 1.

    >>> irfft([1 + 0j, 1], fft_length=[3]).numpy().round(3).tolist()
    [1.0, 0.0, 0.0]
    """
    return _real_again(to_tensor(input_tensor), _lengths(fft_length, 1))


def irfft2d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the real numbers with the given spectrum along the last two axes; undoes `rfft2d`.

    Args:
        input_tensor: complex64 or complex128, the first n // 2 + 1 of n along the last axis.
        fft_length: a vector of the sizes of the result; by default those of the input, and along
            the last axis twice that, less 2.

    Raises:
        DTypeError: the input is of another dtype, or `fft_length` not of integers.
        ShapeError: the input has fewer axes, or `fft_length` another number of sizes.
        ArgumentValueError: a size in `fft_length` is less than 1.

    >>> irfft2d([[10 + 0j, -2], [-4, 0]]).numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    x, lengths = to_tensor(input_tensor), _lengths(fft_length, 2)
    if lengths is not None:
        x = _resized(x, [lengths[0], lengths[1] // 2 + 1])
    rows = apply(FOURIER, (x,), axes=(-2,), inverse=True)
    return _real_again(rows, None if lengths is None else lengths[1:])


def irfft3d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the real numbers with the given spectrum along the last three axes; undoes `rfft3d`.

    Args:
        input_tensor: complex64 or complex128, the first n // 2 + 1 of n along the last axis.
        fft_length: a vector of the sizes of the result; by default those of the input, and along
            the last axis twice that, less 2.

    Raises:
        DTypeError: the input is of another dtype, or `fft_length` not of integers.
        ShapeError: the input has fewer axes, or `fft_length` another number of sizes.
        ArgumentValueError: a size in `fft_length` is less than 1.

    >>> irfft3d([[[3 + 0j, -1]]]).numpy().tolist()
    [[[1.0, 2.0]]]
    """
    x, lengths = to_tensor(input_tensor), _lengths(fft_length, 3)
    if lengths is not None:
        x = _resized(x, [*lengths[:2], lengths[2] // 2 + 1])
    rows = apply(FOURIER, (x,), axes=(-3, -2), inverse=True)
    return _real_again(rows, None if lengths is None else lengths[2:])


def _real_again(x: Tensor, lengths: list[int] | None) -> Tensor:
    if lengths is not None:
        length = lengths[0]
    elif x.shape.rank and x.shape[-1] is not None:
        length = max(2 * (x.shape[-1] - 1), 0)
    else:
        raise ShapeError("the length of the result is not known: give fft_length")
    if length < 1:
        raise ShapeError(f"the length of the result, {length}, must be at least 1: give fft_length")
    halved = _resized(x, [length // 2 + 1])
    result: Tensor = apply(REAL_FROM_FOURIER, (halved,), length=length)
    return result


def _lengths(fft_length: Any, count: int) -> list[int] | None:
    if fft_length is None:
        return None
    known = known_array(fft_length, "fft_length")
    if known.shape != (count,):
        raise ShapeError(f"fft_length must be a vector of {count} ints, not of shape {known.shape}")
    if known.dtype.kind not in "iu":
        raise DTypeError(f"fft_length must be integers, not {known.dtype.name}")
    if (known < 1).any():
        raise ArgumentValueError(f"fft_length must be 1 or more, not {known.tolist()}")
    return [int(each) for each in known]


def _resized(x: Tensor, lengths: list[int] | None) -> Tensor:
    """Return a tensor with these sizes of its last axes, truncated or padded with zeros."""
    if lengths is None:
        return x
    rank = x.shape.rank
    if rank is None and len(lengths) == 1:
        cut = x[..., : lengths[0]]
        return extended(cut, lengths[0] - shape(cut)[-1])
    if rank is None:
        raise ShapeError("the rank of the input must be known: write rt.ensure_shape")
    if rank < len(lengths):
        raise ShapeError(
            f"fft_length has {len(lengths)} sizes, more than the axes of shape {x.shape}"
        )
    kept: Any = x
    kept = kept[(..., *(slice(length) for length in lengths))]
    lead = rank - len(lengths)
    sizes: Any = shape(kept)
    missing = [
        length - (sizes[lead + at] if size is None else size)
        for at, (length, size) in enumerate(zip(lengths, kept.shape[lead:]))
    ]
    if all(isinstance(each, int) and not each for each in missing):
        return kept
    return pad(kept, [[0, 0]] * lead + [[0, each] for each in missing])


def extended(x: Tensor, missing: Any, value: Any = 0, axis: int = -1) -> Tensor:
    """Return a tensor with `missing` elements after it along an axis; its rank may be unknown.

    >>> print(extended(to_tensor([1, 2]), 2))
    rt.Tensor([1 2 0 0], shape=(4,), dtype=int32)
    """
    if x.shape.rank is not None:
        widths: list[Any] = [[0, 0]] * x.shape.rank
        widths[axis] = [0, missing]
        return pad(x, widths, constant_values=value)
    sizes = shape(x)
    after = [] if axis == -1 else [sizes[axis + 1 :]]
    dims = concat([sizes[:axis], [missing], *after], 0)
    return concat([x, fill(dims, to_tensor(value, x.dtype))], axis)


def fftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor:
    """Return a spectrum with frequency 0 in the middle of the axes, of all by default.

    >>> fftshift([1, 2, 3]).numpy().tolist()
    [3, 1, 2]
    """
    return _shifted(x, axes, lambda size: size // 2)


def ifftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor:
    """Return a spectrum with frequency 0 first; undoes `fftshift`.

    >>> ifftshift([3, 1, 2]).numpy().tolist()
    [1, 2, 3]
    """
    return _shifted(x, axes, lambda size: -(size // 2))


def _shifted(value: Any, axes: Any, by: Any) -> Tensor:
    x = to_tensor(value)
    along = static_axes(axes)
    if along is None:
        if x.shape.rank is None:
            raise ShapeError("the rank of the shifted tensor is unknown: give axes")
        along = tuple(range(x.shape.rank))
    sizes: Any = shape(x)
    return roll(x, [by(sizes[axis]) for axis in along], list(along)) if along else x
