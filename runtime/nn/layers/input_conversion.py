"""Conversion of a layer's inputs to tensors of its dtype, and their shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import nest
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.state.variable import Variable


def as_inputs(value: Any, dtype: Any) -> Any:
    """Return a layer's inputs with tensors for arrays and numbers, floats in its dtype.

    Args:
        value: a tensor, an array, nested lists of numbers, or a structure of tensors and arrays.
        dtype: the dtype of floats; None keeps their own.

    >>> as_inputs([[1, 2]], None).shape
    TensorShape([1, 2])
    """
    if value is None or isinstance(value, (str, bytes)):
        return value
    if not nest.is_nested(value):
        return as_input(value, dtype)
    found = nest.flatten(value)
    numbers = [isinstance(leaf, (int, float, np.generic)) for leaf in found]
    # A list with None among numbers is an error, not a structure.
    if isinstance(value, (list, tuple)) and (any(numbers) or all(leaf is None for leaf in found)):
        return as_input(value, dtype)
    return nest.map_structure(lambda leaf: as_input(leaf, dtype), value)


def as_input(value: Any, dtype: Any) -> Any:
    """Convert one value as `as_inputs` does; values other than tensors, arrays or numbers stay."""
    kinds = (Tensor, np.ndarray, np.generic, int, float, list, tuple)
    if isinstance(value, Variable):
        return value
    if not isinstance(value, kinds):
        # Pandas tables are taken as arrays.
        if not hasattr(type(value), "__array__"):
            return value
        value = np.asarray(value)
    tensor = to_tensor(value)
    if dtype is None or not tensor.dtype.is_floating or tensor.dtype is dtype:
        return tensor
    return cast(tensor, dtype)


def shapes_of(value: Any) -> Any:
    """Return the shape of a tensor as a tuple, or the shapes in a structure.

    >>> shapes_of({"a": to_tensor([1.0])})
    {'a': (1,)}
    """
    if nest.is_nested(value):
        return nest.unflatten(value, [_shape(leaf) for leaf in nest.flatten(value)])
    return _shape(value)


def _shape(value: Any) -> Any:
    shape = getattr(value, "shape", None)
    dims = getattr(shape, "dims", shape)
    return None if dims is None else tuple(dims)


def are_shapes(value: Any) -> bool:
    """Return whether a value is one shape: a tuple or list of sizes."""
    return isinstance(value, (list, tuple)) and all(
        each is None or isinstance(each, (int, np.integer)) for each in value
    )


# -- inputs of layers that compute with floats -----------------------------------------------------


def as_floats(layer: Any, inputs: Any) -> Any:
    """Return inputs as floats: others are cast to the dtype of the layer.

    Raises:
        DTypeError: they are not numbers.

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
