"""Functions of the user's that the runtime calls: converted where a graph records what they do.

layer(x)                the layer's own code runs as it is, the `call` of the user's converted
rt.map_fn(f, rows)      f may have an `if` on tensors, as any function that is called
rt.custom_gradient(f)   and so may what f returns for the gradient
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.function.function import Function
from autograph.function.options import FunctionOptions


def as_graphs(step: Callable[..., Any], specs: tuple[Any, ...]) -> Function:
    """Return a function as one that has a single trace, for arguments of known kinds.

    >>> import runtime as rt
    >>> double = as_graphs(lambda batch: batch["x"] * 2, ({"x": rt.TensorSpec((None,), rt.int32)},))
    >>> double({"x": rt.constant([1, 2])}).numpy().tolist()
    [2, 4]
    """
    return Function(step, FunctionOptions(specs, of_network=True))
