"""Functions of networks and matrices as Keras has them: normalizations, attention, transforms."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.settings import flag, listed
from runtime.nn.numeric import floating
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import reduce_mean
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, divide, multiply, subtract
from runtime.ops.elementwise.complex_numbers import complex as complex_of
from runtime.ops.elementwise.complex_numbers import imag, real
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import rsqrt, square, tanh
from runtime.ops.linalg.diagonals import band_part
from runtime.ops.linalg.einsum import einsum
from runtime.ops.linalg.solvers import triangular_solve
from runtime.ops.neural.functions import softmax
from runtime.ops.signal.transforms import fft as fourier
from runtime.ops.signal.transforms import fft2d, ifft2d
from runtime.ops.signal.transforms import irfft as from_real_fourier
from runtime.ops.signal.transforms import rfft as real_fourier

_EPSILON = 1e-7


def layer_normalization(
    x: Any, gamma: Any = None, beta: Any = None, axis: Any = -1, epsilon: Any = None
) -> Any:
    """Return numbers of mean 0 and variance 1 along axes, times `gamma` and plus `beta`.

    >>> print(layer_normalization([1.0, 3.0]).numpy().round(3))
    [-1.  1.]
    """
    values = floating(x)
    mean = reduce_mean(values, axis, True)
    apart = subtract(values, mean)
    variance = reduce_mean(square(apart), axis, True)
    found = multiply(apart, rsqrt(add(variance, _EPSILON if epsilon is None else epsilon)))
    return _scaled(found, gamma, beta)


def rms_normalization(x: Any, scale: Any = None, axis: Any = -1, epsilon: Any = None) -> Any:
    """Return numbers divided by the root of the mean of their squares along an axis.

    >>> print(rms_normalization([3.0, 4.0]).numpy().round(3))
    [0.849 1.131]
    """
    values = floating(x)
    least = _EPSILON if epsilon is None else epsilon
    found = multiply(values, rsqrt(add(reduce_mean(square(values), axis, True), least)))
    return _scaled(found, scale, None)


def _scaled(x: Any, scale: Any, offset: Any) -> Any:
    found = x if scale is None else multiply(x, cast(to_tensor(scale), x.dtype))
    return found if offset is None else add(found, cast(to_tensor(offset), x.dtype))


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    axis: int,
    offset: Any = None,
    scale: Any = None,
    epsilon: float = 0.001,
) -> Any:
    """Return numbers less a mean and divided by the root of a variance, which an axis has each.

    >>> print(batch_normalization([[1.0, 2.0]], [1.0, 0.0], [1.0, 4.0], -1).numpy().round(3))
    [[0. 1.]]
    """
    values = floating(x)
    dims = [1] * values.ndim
    dims[axis] = -1

    def along(value: Any) -> Any:
        return reshape(cast(to_tensor(value), values.dtype), dims)

    apart = subtract(values, along(mean))
    found = multiply(apart, rsqrt(add(along(variance), epsilon)))
    found = found if scale is None else multiply(found, along(scale))
    return found if offset is None else add(found, along(offset))


def dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    bias: Any = None,
    mask: Any = None,
    scale: Any = None,
    is_causal: bool = False,
    flash_attention: Any = None,
    attn_logits_soft_cap: Any = None,
) -> Any:
    """Return values as far as their keys are like a query, for several heads.

    Args:
        query: floats, shape (batch, targets, heads, size).
        key, value: of sources in place of targets; there may be fewer heads, each for several.
        bias: added to how alike they are.
        mask: bool: what counts.
        scale: of how alike they are; by default one over the root of the size.
        is_causal: whether a target has no sources after it.
        flash_attention: says nothing here.
        attn_logits_soft_cap: what likenesses come near to, and do not pass.

    >>> import numpy as np
    >>> x = np.ones((1, 2, 1, 3), np.float32)
    >>> dot_product_attention(x, x, x).numpy().ravel().tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    q, k, v = (floating(each) for each in (query, key, value))
    size = q.shape[-1]
    factor = 1.0 / math.sqrt(size) if scale is None else scale
    alike: Any = multiply(einsum("BTNH,BSNH->BNTS", q, k), factor)
    if attn_logits_soft_cap is not None:
        alike = multiply(tanh(divide(alike, attn_logits_soft_cap)), attn_logits_soft_cap)
    if bias is not None:
        alike = add(alike, cast(to_tensor(bias), alike.dtype))
    counts = None if mask is None else cast(to_tensor(mask), "bool")
    if flag(is_causal, "is_causal"):
        before = cast(band_part(ones_like(alike[0, 0]), -1, 0), "bool")
        counts = before if counts is None else logical_and(counts, before)
    if counts is not None:
        alike = where(counts, alike, cast(alike.dtype.min * 0.7, alike.dtype))
    return einsum("BNTS,BSNH->BTNH", softmax(alike, -1), v)


# -- transforms ------------------------------------------------------------------------------------


def _joined(x: Any) -> Any:
    first, second = listed(x, "x")
    return complex_of(floating(first), floating(second))


def fft(x: Any) -> Any:
    """Return the Fourier transform of the last axis; complex numbers are pairs of tensors.

    >>> [each.numpy().tolist() for each in fft(([1.0, 1.0], [0.0, 0.0]))]
    [[2.0, 0.0], [0.0, 0.0]]
    """
    found = fourier(_joined(x))
    return real(found), imag(found)


def fft2(x: Any) -> Any:
    """Return the Fourier transform of the last two axes; see `fft`."""
    found = fft2d(_joined(x))
    return real(found), imag(found)


def ifft2(x: Any) -> Any:
    """Return what `fft2` makes a pair of."""
    found = ifft2d(_joined(x))
    return real(found), imag(found)


def rfft(x: Any, fft_length: Any = None) -> Any:
    """Return the first half of the Fourier transform of real numbers, as a pair of tensors.

    >>> [each.numpy().tolist() for each in rfft([1.0, 1.0])]
    [[2.0, 0.0], [0.0, 0.0]]
    """
    found = real_fourier(floating(x), None if fft_length is None else [fft_length])
    return real(found), imag(found)


def irfft(x: Any, fft_length: Any = None) -> Any:
    """Return real numbers for the first half of their Fourier transform.

    >>> irfft(([2.0, 0.0], [0.0, 0.0])).numpy().tolist()
    [1.0, 1.0]
    """
    return from_real_fourier(_joined(x), None if fft_length is None else [fft_length])


def view_as_complex(x: Any) -> Any:
    """Return complex numbers for pairs along the last axis.

    >>> print(view_as_complex([1.0, 2.0]).numpy())
    (1+2j)
    """
    values = floating(x)
    return complex_of(values[..., 0], values[..., 1])


def solve_triangular(a: Any, b: Any, lower: bool = False) -> Any:
    """Return x with a @ x == b, for a triangular matrix.

    >>> solve_triangular([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0]).numpy().tolist()
    [1.0, 1.0]
    """
    matrix, wanted = floating(a), floating(b)
    is_row = wanted.ndim == matrix.ndim - 1
    columns = expand_dims(wanted, -1) if is_row else wanted
    found: Any = triangular_solve(matrix, columns, lower=flag(lower, "lower"))
    return found[..., 0] if is_row else found
