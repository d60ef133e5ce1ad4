"""Hooks by which the converter replaces the user's functions while a graph records.

rt.map_fn(f, rows)    ->    f is called with symbolic tensors; a converter may convert it
layer(x)              ->    so is the `call` of the layer
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.tensor import Tensor

Function = Callable[..., Any]
_OURS = ("autograph.", "runtime.")


class ConverterHooks:
    """The hooks of the converter for user functions, and for arrays in graphs.

    Attributes:
        call: maps a function passed to an op, the `call` of a layer, a loss or similar to its
            replacement while a graph records.
        function: maps a function, and the structures of TensorSpecs for its arguments, to one that
            runs as graphs and is traced at its first call.
        export: writes a model to a folder, with its call as a graph.
        element: maps a function passed to a dataset to its replacement, which is called once with
            symbolic tensors; its attribute `warn_if_stale`, if any, warns where values that the
            function has read are others now.
        traced: maps a function passed to an op, and the op's name, to its replacement if it is
            called only once, to record a region.
        sketched: calls a function that records a graph for its shapes alone, on behalf of an object
            which keeps no tensor of that graph.
        loop: records a loop of the library whose body calls user code, given its test, its body,
            the initial values and that code; returns None if the code is not the user's.
        array: maps a tensor to an object that stands for the array that NumPy would have returned.
    """

    call: Callable[[Function], Function] = staticmethod(lambda function: function)
    function: Callable[[Function, tuple[Any, ...]], Function] = staticmethod(
        lambda function, specs: function
    )
    export: Callable[..., None]
    element: Callable[[Function], Function] = staticmethod(lambda function: function)
    traced: Callable[[Function, str], Function] = staticmethod(lambda function, op: function)
    sketched: Callable[[Callable[[], Any], object], Any] = staticmethod(lambda call, owner: call())
    loop: Callable[[Function, Function, list[Any], object], list[Any] | None] = staticmethod(
        lambda test, body, start, cell: None
    )
    array: Callable[[Tensor], Any] = staticmethod(lambda tensor: tensor)


def staged(function: Function) -> Function:
    """Return the function to call in place of one passed to an op: the converted one in a trace.

    >>> staged(abs)(-3)
    3
    """
    if current_recorder() is None or _is_ours(function):
        return function
    return ConverterHooks.call(function)


def staged_once(function: Function, op: str) -> Function:
    """Return such a function for an op that calls it once, to record a branch or a loop's body.

    Args:
        function: the function passed to the op.
        op: the op's name, for messages about the function.

    >>> staged_once(abs, "cond")(-3)
    3
    """
    if current_recorder() is None or _is_ours(function):
        return function
    return ConverterHooks.traced(function, op)


def _is_ours(function: Function) -> bool:
    """Return whether a function belongs to this project, so it needs no conversion."""
    return str(getattr(function, "__module__", "")).startswith(_OURS)


def run(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function that may be the user's; in a trace, its replacement by `ConverterHooks.call`.

    >>> run(max, 1, 2)
    2
    """
    if current_recorder() is None:
        return function(*args, **kwargs)
    return ConverterHooks.call(function)(*args, **kwargs)
