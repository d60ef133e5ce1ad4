"""Moments, weighted moments, and average losses."""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.core.argument_checks import flag
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.ops.arguments import static_axes
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.reduction import reduce_mean, reduce_sum
from runtime.ops.arrays.shape import reshape, shape, size
from runtime.ops.convert import matched, strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import divide_no_nan
from runtime.ops.elementwise.unary import reciprocal, square


def moments(
    x: TensorLike,
    axes: AxisLike,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return mean and variance along `axes`; `shift` has no effect.

    >>> mean, variance = moments([1.0, 3.0], [0])
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    tensor: Any = to_tensor(x)
    centre = reduce_mean(tensor, axes, keepdims=True)
    variance = reduce_mean(square(tensor - centre), axes, keepdims)
    return (centre if flag(keepdims, "keepdims") else reshape(centre, shape(variance))), variance


class SufficientStatistics(NamedTuple):
    """The count, the sum, the sum of squares, and the shift subtracted from the elements."""

    counts: Tensor
    mean_ss: Tensor
    variance_ss: Tensor
    shift: Tensor | None


def sufficient_statistics(
    x: TensorLike,
    axes: AxisLike,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> SufficientStatistics:
    """Return the sums from which mean and variance are computed; sums of parts of data add up.

    Args:
        x: floats.
        axes: the axes to sum over.
        shift: a number near the mean, subtracted first so that fewer digits are lost.

    >>> counts, total, squares, _ = sufficient_statistics([1.0, 2.0, 3.0], [0])
    >>> float(counts), float(total), float(squares)
    (3.0, 6.0, 14.0)
    """
    values, along = _floats(x, "x"), static_axes(axes)
    kept = flag(keepdims, "keepdims")
    moved, given = values, None
    if shift is not None:
        given = to_tensor(shift, values.dtype)
        moved = values - given
    sums = reduce_sum(moved, along, kept)
    return SufficientStatistics(
        _count(values, along), sums, reduce_sum(square(moved), along, kept), given
    )


def _count(x: Tensor, axes: tuple[int, ...] | None) -> Tensor:
    """Return the number of elements summed, as a number of the tensor's dtype."""
    if axes is None:
        return strong_cast(size(x), x.dtype)
    sizes: Any = shape(x)
    count: Any = to_tensor(1)
    for axis in axes:
        count = count * sizes[axis]
    return strong_cast(count, x.dtype)


def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: TensorLike,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return mean and variance from the results of `sufficient_statistics`.

    >>> mean, variance = normalize_moments(*sufficient_statistics([1.0, 3.0], [0]))
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    total, squares = to_tensor(mean_ss), to_tensor(variance_ss)
    share: Any = reciprocal(to_tensor(counts, total.dtype))
    near: Any = total * share
    mean = near if shift is None else near + to_tensor(shift, total.dtype)
    variance: Tensor = squares * share - square(near)
    return mean, variance


def weighted_moments(
    x: TensorLike,
    axes: AxisLike,
    frequency_weights: TensorLike,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the weighted mean and variance of numbers.

    Args:
        x: floats.
        axes: the axes of the mean and the variance.
        frequency_weights: weights that broadcast to the shape of `x`. If their sum is 0, both are
            0.

    >>> mean, variance = weighted_moments([1.0, 3.0], [0], [3.0, 1.0])
    >>> float(mean), float(variance)
    (1.5, 0.75)
    """
    values: Any = _floats(x, "x")
    weights: Any = strong_cast(to_tensor(frequency_weights), values.dtype)
    along = static_axes(axes)
    whole: Any = weights + zeros_like(values)
    total = reduce_sum(whole, along, True)
    mean: Any = divide_no_nan(reduce_sum(whole * values, along, True), total)
    variance = divide_no_nan(reduce_sum(whole * square(values - mean), along, True), total)
    if flag(keepdims, "keepdims"):
        return mean, variance
    # The sum over an axis of size 1 is the element.
    return reduce_sum(mean, along), reduce_sum(variance, along)


def compute_average_loss(
    per_example_loss: TensorLike,
    sample_weight: TensorLike | None = None,
    global_batch_size: TensorLike | None = None,
) -> Tensor:
    """Return the sum of losses, divided by the number of examples.

    Args:
        per_example_loss: floats, one or more for each example, along the first axis.
        sample_weight: the factors of the losses.
        global_batch_size: the number to divide by; by default the length of the first axis.

    Raises:
        ShapeError: `per_example_loss` is a scalar.

    >>> float(compute_average_loss([1.0, 2.0, 3.0]))
    2.0
    """
    losses: Any = _floats(per_example_loss, "per_example_loss")
    if losses.shape.rank == 0:
        raise ShapeError("per_example_loss must have an axis of examples, not be a scalar")
    count: Any = shape(losses)[0] if global_batch_size is None else global_batch_size
    if sample_weight is not None:
        losses, weights = matched((losses, sample_weight), "compute_average_loss")[0]
        losses = losses * weights
    return reduce_sum(losses) / strong_cast(to_tensor(count), losses.dtype)


def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """Return the sum of losses; they would be divided by the number of replicas, which is 1.

    >>> float(scale_regularization_loss([1.0, 2.0]))
    3.0
    """
    return reduce_sum(_floats(regularization_loss, "regularization_loss"))


def _floats(value: Any, what: str) -> Tensor:
    x = to_tensor(value)
    if not x.dtype.is_floating:
        raise DTypeError(f"{what} must be floats, not {x.dtype.name}: write rt.cast(x, rt.float32)")
    return x
