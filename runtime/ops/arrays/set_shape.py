"""`x.set_shape(shape)`: a program declares dimensions that inference does not know."""

from __future__ import annotations

from typing import Any

from runtime.core.context import current_recorder
from runtime.core.shapes import as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import OutOfScopeError, ShapeError
from runtime.ops.effects.spec_assertions import assert_shapes


def set_shape(x: Tensor, shape: Any) -> None:
    """Declare the shape of a tensor; a recorded graph knows it from then on.

    A run checks it.

    Args:
        shape: the dimensions, with None for unknown ones; None alone has no effect.

    Raises:
        ShapeError: the tensor has another shape.
        OutOfScopeError: the tensor comes from outside of the branch or loop around the call, or is
            a loop variable: write `x = rt.ensure_shape(x, shape)` there.

    >>> import autograph as ag, runtime as rt
    >>> @ag.function
    ... def double(x):
    ...     y = rt.numpy_function(lambda v: 2 * v, [x], rt.int32)
    ...     y.set_shape([2])
    ...     return y, len(y)
    >>> double(rt.constant([3, 4]))[0].numpy()
    array([6, 8], dtype=int32)
    """
    wanted = as_shape(shape)
    if not wanted.is_compatible_with(x.shape):
        raise ShapeError(f"set_shape: a tensor of shape {x.shape} does not have shape {wanted}")
    merged = x.shape.merge(wanted)
    if not isinstance(x, SymbolicTensor) or merged == x.shape:
        return
    is_given = x.node.op.name == "placeholder" and x.graph.outer is not None
    if current_recorder() is not x.graph or is_given:
        raise OutOfScopeError(
            f"set_shape: {x} comes from outside of this branch or loop: write "
            f"x = rt.ensure_shape(x, {wanted})"
        )
    assert_shapes([(x, tuple(wanted))])
    x.spec = TensorSpec(merged, x.dtype)  # type: ignore[misc]
