"""Sizes of the inputs of recurrent layers and cells."""

from __future__ import annotations

from typing import Any

from runtime.errors import ShapeError
from runtime.ops.arrays.shape import shape


def last_size(layer: Any, input_shape: Any) -> int:
    """Return the size of the last axis of inputs; ShapeError when it is not known."""
    dims = getattr(input_shape, "dims", input_shape)
    if not dims or not hasattr(dims[-1], "__index__"):
        raise ShapeError(
            f"layer {layer.name!r} needs to know the size of the last axis of its inputs"
        )
    return int(dims[-1])


def size_of(tensor: Any, axis: int) -> Any:
    """Return the size of an axis: a number if it is known, else a tensor."""
    known = tensor.shape[axis] if tensor.shape.rank else None
    return shape(tensor)[axis] if known is None else known
