"""Initial output gradients: ones for each target, or the user's."""

from __future__ import annotations

import warnings
from typing import Any

from runtime.autodiff.tape_steps import is_differentiable
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.shape import ensure_shape
from runtime.ops.convert import to_tensor
from runtime.state.variable import Variable


def seed_of(target: Any, dy: Any) -> Any:
    """Return the output gradient of a target, None if its dtype has no gradients.

    Args:
        target: a tensor or variable.
        dy: the user's output gradient, None for ones.

    Raises:
        ArgumentValueError: the target is not a tensor, or `dy` does not have its shape.
    """
    if not isinstance(target, (Tensor, Variable)):
        raise ArgumentValueError(f"the target of a gradient is a tensor, not {target!r}")
    if not is_differentiable(target.dtype):
        warnings.warn(
            f"the target {target!r} has no gradient, only floats have: cast it first", stacklevel=4
        )
        return None
    if dy is None:
        return ones_like(to_tensor(target))
    tensor = to_tensor(dy, target.dtype)
    if not tensor.shape.is_compatible_with(target.shape):
        raise ArgumentValueError(
            f"an output gradient of shape {tensor.shape} is given for a target of {target.shape}"
        )
    # An unknown shape is checked at run time.
    return tensor if tensor.shape == target.shape else ensure_shape(tensor, target.shape)
