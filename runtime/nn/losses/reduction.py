"""The reduction of a batch of losses to one number."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import choice
from runtime.errors import ShapeError
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import reduce_mean, reduce_sum
from runtime.ops.arrays.shape import expand_dims, rank, squeeze
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.effects.assertions import Assert
from runtime.ops.elementwise.arithmetic import divide, maximum, multiply
from runtime.ops.elementwise.comparison import equal, not_equal
from runtime.ops.elementwise.logic import logical_or

REDUCTIONS = ("sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none", None)


def checked_reduction(reduction: str | None) -> str | None:
    """Return the name of a reduction; ArgumentValueError if it is unknown."""
    found: str | None = choice(reduction, "reduction", REDUCTIONS)
    return found


def reduced(values: Any, weights: Any, mask: Any, reduction: str | None) -> Any:
    """Return losses weighted and reduced.

    Args:
        values: floats of any shape.
        weights: the weights of the values; a last axis of size 1 may be missing or additional, and
            there may be fewer axes. None for 1.
        mask: booleans, True for values that count; None for all.
        reduction: "sum_over_batch_size" and "mean" divide the sum by the number of values that
            count, "mean_with_sample_weight" by the sum of the weights; "none" and None do not
            reduce.

    >>> print(reduced(to_tensor([1.0, 3.0]), None, None, "mean"))
    rt.Tensor(2.0, shape=(), dtype=float32)
    """
    counted: Any = None if weights is None else cast(to_tensor(weights), values.dtype)
    if mask is not None:
        kept = cast(mask, values.dtype)
        if reduction in ("sum_over_batch_size", "mean"):
            kept = multiply(kept, _quotient(reduce_sum(ones_like(kept)), reduce_sum(kept)))
        counted = kept if counted is None else multiply(*same_rank(counted, kept))
    if counted is not None:
        values, counted = same_rank(values, counted)
        values = multiply(values, counted)
    if reduction in (None, "none"):
        return values
    if reduction == "sum":
        return reduce_sum(values)
    if reduction == "mean_with_sample_weight" and counted is not None:
        return _quotient(reduce_sum(values), reduce_sum(multiply(counted, ones_like(values))))
    return reduce_mean(values)


def _quotient(total: Any, number: Any) -> Any:
    """Return the quotient; a divisor below 1e-7 counts as 1e-7."""
    return divide(total, maximum(number, to_tensor(1e-7, total.dtype)))


def _check_last(longer: Any) -> None:
    if longer.shape[-1] is None:
        raise ShapeError(
            f"the last axis of shape {longer.shape} must be known: write rt.ensure_shape"
        )


def _check_ranks(one: Any, other: Any) -> None:
    """Raise at run time for ranks that would have been adjusted while tracing, if known."""
    apart = logical_or(not_equal(abs(one - other), 1), equal(one * other, 0))
    Assert(apart, ["ranks that differ by one must be known while tracing:", one, other])


def same_rank(first: Any, second: Any) -> tuple[Any, Any]:
    """Return two tensors of one rank, if their ranks differ by one and neither is 0.

    A last axis of size 1 is removed from the longer one, unless the other is a vector; else the
    shorter one gets such an axis.
    """
    one, other = first.shape.rank, second.shape.rank
    if one == 0 or other == 0:
        return first, second
    if one is None or other is None:
        _check_ranks(rank(first), rank(second))
        return first, second
    if one in (other + 1, other - 1):
        _check_last(first if one > other else second)
    if one == other + 1:
        if first.shape[-1] == 1 and other > 1:
            return squeeze(first, axis=-1), second
        return first, expand_dims(second, axis=-1)
    if other == one + 1:
        if second.shape[-1] == 1 and one > 1:
            return first, squeeze(second, axis=-1)
        return expand_dims(first, axis=-1), second
    return first, second


class Reduction:
    """Names of reductions, as earlier programs write them: `Reduction.SUM`.

    >>> Reduction.SUM
    'sum'
    """

    AUTO = "sum_over_batch_size"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"
