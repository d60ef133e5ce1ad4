"""Lists with dynamic items: one object stands for a run of items that is only known at run time.

Such an object has a method `__rt_items__()`, which returns a variant tensor with the items, and the
spec of each item.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.ops.op import REGISTRY, apply

# The function `to_tensor`, whose module imports this one.
Convert = Callable[[Any], Tensor]


def holds_dynamic_items(values: object) -> bool:
    """Return whether a list or tuple contains a run of dynamic items."""
    if not isinstance(values, (list, tuple)):
        return False
    return any(hasattr(type(value), "__rt_items__") for value in values)


def as_rows(values: Sequence[Any], to_tensor: Convert) -> Tensor:
    """Return the tensor of a list, which has no rows if the list is empty."""
    handle, spec = _list_handle(values, to_tensor)
    result: Tensor = apply(REGISTRY["list_stack"], (handle,), leaf=0, spec=spec)
    return result


def stacked(values: Any, to_tensor: Convert, axis: int = 0) -> Tensor:
    """Return all items stacked along a new first axis; there must be at least one item."""
    return _together("list_stack", values, to_tensor, axis)


def concatenated_items(values: Any, to_tensor: Convert, axis: int = 0) -> Tensor:
    """Return all items concatenated along their first axis; there must be at least one item."""
    return _together("list_concat", values, to_tensor, axis)


def _together(name: str, values: Sequence[Any], to_tensor: Convert, axis: int) -> Tensor:
    if axis != 0:
        raise ArgumentValueError(
            f"axis must be 0 for a list whose length is known only when the graph runs, not "
            f"{axis}: move the axis with rt.transpose afterwards"
        )
    handle, spec = _list_handle(values, to_tensor)
    result: Tensor = apply(REGISTRY[name], (handle,), leaf=0, spec=spec, needed=True)
    return result


def _list_handle(values: Sequence[Any], to_tensor: Convert) -> tuple[Tensor, TensorSpec]:
    """Return a variant tensor with all items, and their common spec."""
    handle: Tensor | None = None
    specs = []
    for value in values:
        if hasattr(type(value), "__rt_items__"):
            items, spec = value.__rt_items__()
            handle = items if handle is None else apply(REGISTRY["list_extend"], (handle, items))
        else:
            handle = apply(REGISTRY["list_of"], (), width=1) if handle is None else handle
            tensor = to_tensor(value)
            spec = TensorSpec(tensor.shape, tensor.dtype)
            handle = apply(REGISTRY["list_append"], (handle, tensor))
        specs.append(spec)
    first, *others = specs
    for spec in others:
        first = first.join(spec)
    assert handle is not None
    return handle, first
