"""`unsorted_segment_join`: joins the strings of each segment."""

from __future__ import annotations

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.arrays.segments import checked_count, over_segments, unsorted_infer
from runtime.ops.op import define
from runtime.ops.text.strings import separator_bytes


def _join_kernel(
    texts: Array, ids: Array, *dims: Array, num_segments: int | None, separator: bytes
) -> Array:
    count = checked_count(texts, ids, *dims, num_segments=num_segments)
    rest = texts.shape[ids.ndim :]
    joined = np.full((count, *rest), b"", object)
    flat, parts = joined.reshape(count, -1) if joined.size else joined, _parts(texts, ids)
    for (segment, place), row in parts.items():
        flat[segment, place] = separator.join(row)
    return joined


def _parts(texts: Array, ids: Array) -> dict[tuple[int, int], list[bytes]]:
    """Return the strings of each segment and position in a row, as lists."""
    parts: dict[tuple[int, int], list[bytes]] = {}
    if texts.size:
        rows = texts.reshape(ids.size, -1).tolist()
        for segment, row in zip(ids.reshape(-1).tolist(), rows, strict=True):
            for place, text in enumerate(row if segment >= 0 else ()):
                parts.setdefault((segment, place), []).append(text)
    return parts


def _join_infer(
    texts: TensorSpec,
    ids: TensorSpec,
    *dims: TensorSpec,
    num_segments: int | None,
    separator: bytes,
) -> TensorSpec:
    infer.check_rank_at_least(ids, 1)
    return unsorted_infer(texts, ids, *dims, num_segments=num_segments)


JOIN = define(
    "unsorted_segment_join",
    _join_kernel,
    _join_infer,
    kinds="O",
    tensorflow_name="UnsortedSegmentJoin",
)


def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Return the strings of each segment joined in their order.

    Args:
        inputs: strings.
        segment_ids: int32 or int64 below `num_segments`, in any order: the segment of each string,
            or a negative number for none. Their shape is a prefix of the shape of `inputs`.
        num_segments: the number of segments: an int, or a scalar integer tensor.

    Returns:
        For each segment its joined strings, or b"" if there are none.

    Raises:
        InvalidArgumentError: there is no such segment.
        ShapeError: the shapes do not match.
        DTypeError: `inputs` are not strings.

    >>> print(unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, separator="-"))
    rt.Tensor([b'a-c' b'b'], shape=(2,), dtype=string)
    """
    return over_segments(
        JOIN, inputs, segment_ids, num_segments, separator=separator_bytes(separator)
    )
