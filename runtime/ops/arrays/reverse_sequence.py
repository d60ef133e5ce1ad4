"""`reverse_sequence`: reverses the beginnings of rows of given lengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, OutOfBoundsError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define


def _reversed_kernel(x: Array, lengths: Array, *, seq_axis: int, batch_axis: int) -> Array:
    axes = {"seq_axis": seq_axis, "batch_axis": batch_axis}
    _reversed_infer(TensorSpec.of_array(x), TensorSpec.of_array(lengths), **axes)
    longest = x.shape[seq_axis]
    if ((lengths < 0) | (lengths > longest)).any():
        raise OutOfBoundsError(f"seq_lengths must be from 0 to {longest}")
    at = np.arange(longest)
    wide = lengths.astype(np.int64)[:, None]
    places = np.where(at < wide, wide - 1 - at, at)
    rows = np.moveaxis(x, (batch_axis, seq_axis), (0, 1))
    turned = rows[np.arange(len(lengths))[:, None], places]
    return np.moveaxis(turned, (0, 1), (batch_axis, seq_axis))


def _reversed_infer(
    x: TensorSpec, lengths: TensorSpec, *, seq_axis: int, batch_axis: int
) -> TensorSpec:
    infer.check_integer(lengths, "seq_lengths")
    count = infer.vector_length(lengths)
    if x.shape.rank is None:
        return x.unnamed()
    infer.check_rank_at_least(x, max(seq_axis, batch_axis) + 1)
    rows = x.shape[batch_axis]
    if rows is not None and count is not None and rows != count:
        raise ShapeError(f"there are {count} seq_lengths for {rows} rows of shape {x.shape}")
    return x.unnamed()


def _reversed_grad(dys: Any, outputs: Any, inputs: Any, **axes: int) -> tuple[Any, None]:
    return apply(REVERSE_SEQUENCE, (dys[0], inputs[1]), **axes), None


REVERSE_SEQUENCE = define(
    "reverse_sequence",
    _reversed_kernel,
    _reversed_infer,
    grad=_reversed_grad,
    tensorflow_name="ReverseSequence",
)


def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: TensorLike | None = None,
    batch_axis: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return a tensor in which the first elements of each row are reversed.

    Args:
        seq_lengths: the number of reversed elements of each row.
        seq_axis: the axis of the elements.
        batch_axis: the axis of the rows, 0 by default.

    Raises:
        InvalidArgumentError: a length is negative or too large, or there is not one for each row.

    >>> reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy().tolist()
    [[2, 1, 3], [6, 5, 4]]
    """
    if seq_axis is None:
        raise ArgumentValueError("reverse_sequence needs a seq_axis: give the axis to reverse")
    along = static_int(seq_axis, "seq_axis")
    rows = 0 if batch_axis is None else static_int(batch_axis, "batch_axis")
    if along < 0 or rows < 0 or along == rows:
        raise ArgumentValueError(
            f"seq_axis and batch_axis must be two axes, counted from 0, not {along} and {rows}"
        )
    inputs = (to_tensor(input), to_tensor(seq_lengths))
    result: Tensor = apply(REVERSE_SEQUENCE, inputs, seq_axis=along, batch_axis=rows)
    return result
