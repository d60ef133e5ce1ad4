"""Segment reductions of `keras.ops`."""

from __future__ import annotations

from typing import Any

from runtime.core.lazy_imports import own_names
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arrays.reduction import reduce_max
from runtime.ops.arrays.segments import (
    unsorted_segment_max,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sum,
)
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add


def segment_min(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike | None = None,
    sorted: bool = False,
) -> Tensor:
    """Return the minimum of each segment.

    >>> segment_min([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 1]
    """
    count = _number_of_segments(segment_ids, num_segments)
    return unsorted_segment_min(to_tensor(data), segment_ids, count)


def segment_prod(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike | None = None,
    sorted: bool = False,
) -> Tensor:
    """Return the product of each segment.

    >>> segment_prod([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 4]
    """
    count = _number_of_segments(segment_ids, num_segments)
    return unsorted_segment_prod(to_tensor(data), segment_ids, count)


def segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None
) -> Tensor:
    """Return the sum of each segment; the ids may be in any order.

    >>> segment_sum([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 5]
    """
    return unsorted_segment_sum(data, segment_ids, _number_of_segments(segment_ids, num_segments))


def segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None
) -> Tensor:
    """Return the maximum of each segment; the ids may be in any order.

    >>> segment_max([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 4]
    """
    return unsorted_segment_max(data, segment_ids, _number_of_segments(segment_ids, num_segments))


def _number_of_segments(segment_ids: Any, given: Any) -> Any:
    return add(reduce_max(segment_ids), 1) if given is None else given


__dir__ = own_names(__name__)
