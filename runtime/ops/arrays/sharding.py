"""The op that constrains the sharding of a tensor of a graph over the devices of a mesh."""

from __future__ import annotations

from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.op import apply, define

# For each dimension the name of an axis of the mesh, names of several, or None.
Axes = tuple[str | tuple[str, ...] | None, ...]


def _same(x: TensorSpec, *, axes: Axes) -> TensorSpec:
    return x


def _gradient(dys: Any, outputs: Any, inputs: Any, *, axes: Axes) -> tuple[Any, ...]:
    return (constrained(dys[0], axes),)


SHARD = define(
    "shard",
    lambda x, *, axes: x,
    _same,
    grad=_gradient,
    tensorflow_name="Identity",
)


def constrained(x: Tensor, axes: Axes) -> Tensor:
    """Return a tensor of the same values, spread over the devices of the mesh if there is one.

    Args:
        axes: for each dimension the name of an axis of the mesh, a tuple of names, or None.

    >>> from runtime.ops.constant import constant
    >>> constrained(constant([1, 2]), ("data",)).numpy().tolist()
    [1, 2]
    """
    result: Tensor = apply(SHARD, (x,), axes=axes)
    return result
