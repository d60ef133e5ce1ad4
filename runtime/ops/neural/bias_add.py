"""`bias_add`: a bias for each channel."""

from __future__ import annotations

from runtime.core.argument_checks import plain_text
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.shape import of_rank, reshape, shape
from runtime.ops.convert import matched
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.gradient_rules import BROADCAST_LIKE
from runtime.ops.op import apply


def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """Return value + bias, the bias being a vector along the last axis (axis 1 for NC...).

    Raises:
        ShapeError: `value` has fewer than two dimensions, or `bias` not one number for each
            channel.

    >>> print(bias_add([[1, 2]], [10, 20]))
    rt.Tensor([[11 22]], shape=(1, 2), dtype=int32)
    """
    (x, vector), _ = matched((value, bias), "bias_add")
    vector = of_rank(vector, 1)
    first = data_format is not None and plain_text(data_format, "data_format").startswith("NC")
    vector = _for_channels(x, vector, 1 if first else -1)
    if not first:
        return add(x, apply(BROADCAST_LIKE, (vector, x)))
    return add(x, reshape(vector, concat([[-1], ones_like(shape(x)[2:])], 0)))


def _for_channels(x: Tensor, vector: Tensor, axis: int) -> Tensor:
    """Return a vector with one number per channel, checked at run time if a size is unknown."""
    if x.shape.rank is not None and x.shape.rank < 2:
        raise ShapeError(f"bias_add needs a rank of 2 or more, not a value of shape {x.shape}")
    channels = None if x.shape.rank is None else x.shape[axis]
    if None not in (channels, vector.shape[0]):
        if channels != vector.shape[0]:
            raise ShapeError(f"bias_add: {vector.shape[0]} biases for the channels of {x.shape}")
        return vector
    # The shape of a vector has no sizes after the first one.
    return reshape(vector, [shape(x)[1:][axis - 1 if axis > 0 else axis]])
