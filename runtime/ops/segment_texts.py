"""Strings joined by segments."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.combining import stack
from runtime.ops.convert import to_tensor
from runtime.ops.creation import ones_like
from runtime.ops.cumulative import cumsum
from runtime.ops.debugging import assert_equal
from runtime.ops.gather import gather
from runtime.ops.reduction import reduce_sum
from runtime.ops.segments import unsorted_segment_sum
from runtime.ops.shape import rank, reshape, shape, size
from runtime.ops.sorting import argsort
from runtime.ops.strings import reduce_join
from runtime.tensor import Tensor

# Each is a step of its own.
_MOST = 10_000


def unsorted_segment_join(
    inputs: Any,
    segment_ids: Any,
    num_segments: Any,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Return the strings of each segment joined in the order they have.

    Args:
        inputs: strings.
        segment_ids: int32 or int64 of the shape of `inputs`: which segment each belongs to, below
            0 for none.
        num_segments: how many there are, known while tracing.

    Raises:
        InvalidArgumentError: there is no such segment.
        ShapeError: the shapes differ.
        DTypeError: `inputs` are no strings.

    >>> print(unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, separator="-"))
    rt.Tensor([b'a-c' b'b'], shape=(2,), dtype=string)
    """
    texts, ids = to_tensor(inputs), to_tensor(segment_ids)
    if not texts.dtype.is_string:
        raise DTypeError(
            f"unsorted_segment_join works on string tensors, not on {texts.dtype.name}"
        )
    if not texts.shape.is_compatible_with(ids.shape):
        raise ShapeError(f"there is a segment for each string: {ids.shape} is not {texts.shape}")
    if not (texts.shape.is_fully_defined() and ids.shape.is_fully_defined()):
        for told in (rank, size, shape):
            assert_equal(told(texts), told(ids), "there is a segment for each string")
    count = static_int(num_segments, "num_segments")
    if count > _MOST:
        raise ArgumentValueError(f"unsorted_segment_join makes at most {_MOST} strings")
    texts, ids = reshape(texts, [-1]), reshape(ids, [-1])
    counts = unsorted_segment_sum(ones_like(ids), ids, count)
    ordered = gather(texts, argsort(ids, stable=True))
    # Those of no segment come first.
    ends = cumsum(counts) + size(ids, counts.dtype) - reduce_sum(counts)
    parts = [ordered[ends[i] - counts[i] : ends[i]] for i in range(count)]
    return stack([reduce_join(part, 0, separator=separator) for part in parts])
