"""Batch normalization with given moments, and local response normalization."""

from __future__ import annotations

import builtins
from typing import Any

from runtime.core.argument_checks import number
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.arrays.padding import pad
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import pow
from runtime.ops.elementwise.unary import rsqrt, square


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: TensorLike,
    scale: TensorLike,
    variance_epsilon: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return (x - mean) / sqrt(variance + variance_epsilon) * scale + offset.

    Args:
        mean, variance: floats that broadcast with `x`.
        offset, scale: the same, or None for 0 and 1.

    >>> batch_normalization([3.0], [1.0], [4.0], None, None, 0.0).numpy()
    array([1.], dtype=float32)
    """
    tensor: Any = to_tensor(x)
    spread: Any = to_tensor(variance, tensor.dtype)
    factor: Any = rsqrt(spread + to_tensor(variance_epsilon, tensor.dtype))
    if scale is not None:
        factor = factor * to_tensor(scale, tensor.dtype)
    shift = -(to_tensor(mean, tensor.dtype) * factor)
    result: Any = tensor * factor + shift
    if offset is not None:
        result = result + to_tensor(offset, tensor.dtype)
    return result


_MOST = 1000


def local_response_normalization(
    input: TensorLike,
    depth_radius: TensorLike = 5,
    bias: TensorLike = 1,
    alpha: TensorLike = 1,
    beta: TensorLike = 0.5,
    name: str | None = None,
) -> Tensor:
    """Return images over (bias + alpha * sum of squares of neighbouring channels) ** beta.

    Args:
        input: floats of shape (batch, height, width, channels).
        depth_radius: the number of neighbouring channels on each side.

    >>> local_response_normalization([[[[1.0, 1.0]]]], depth_radius=0, bias=3).numpy().ravel()
    array([0.5, 0.5], dtype=float32)
    """
    x: Any = to_tensor(input)
    if not x.dtype.is_floating:
        raise DTypeError(f"images must be floats, not {x.dtype.name}: write rt.cast(x, rt.float32)")
    if x.shape.rank not in (None, 4):
        raise ShapeError(f"images must have 4 axes (NHWC), not shape {x.shape}")
    radius = static_int(depth_radius, "depth_radius")
    if radius < 0:
        raise ArgumentValueError(f"depth_radius must be at least 0, not {radius}")
    if x.shape[-1] is not None:
        radius = min(radius, x.shape[-1])
    elif radius > _MOST:
        raise ArgumentValueError(
            f"depth_radius must be at most {_MOST}, not {radius}, if the number "
            "of channels is not known"
        )
    around: Any = pad(square(x), [[0, 0], [0, 0], [0, 0], [radius, radius]])
    total: Any = around[..., : -2 * radius] if radius else around
    for first in builtins.range(1, 2 * radius + 1):
        total = total + around[..., first : first - 2 * radius or None]
    result: Tensor = x / pow(
        total * number(alpha, "alpha") + number(bias, "bias"), number(beta, "beta")
    )
    return result


lrn = local_response_normalization
