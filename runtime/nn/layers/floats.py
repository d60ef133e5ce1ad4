"""Inputs of layers that compute with floats: integers become floats of the layer's dtype."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor
from runtime.errors import DTypeError
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor


def as_floats(layer: Any, inputs: Any) -> Any:
    """Return inputs as floats: those that are none in the dtype of the layer.

    Raises:
        DTypeError: they are no numbers.

    >>> from runtime.nn.layers.layer import Layer
    >>> from runtime.ops.constant import constant
    >>> as_floats(Layer(), constant([1, 2])).dtype
    rt.float32
    """
    inputs = to_tensor(inputs)
    if inputs.dtype.is_floating:
        return inputs
    if not (inputs.dtype.is_integer or inputs.dtype.is_bool):
        raise DTypeError(
            f"layer {layer.name!r} ({type(layer).__name__}) takes numbers, not {inputs.dtype.name}"
        )
    result: Tensor = cast(inputs, layer.dtype)
    return result
