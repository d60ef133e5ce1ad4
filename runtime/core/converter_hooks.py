"""Hooks by which the converter replaces the user's functions while a graph records.

rt.map_fn(f, rows)    ->    f is called with symbolic tensors; a converter may know what it means
layer(x)              ->    so is the `call` of the layer
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.tensor import Tensor

Function = Callable[..., Any]
_OURS = ("autograph.", "runtime.")


class Staging:
    """Functions and arrays of the user's, and what stands for them in graphs, as a converter says.

    Attributes:
        call: takes a function that an op was given, the `call` of a layer, a loss or the like to
            what is called instead while a graph records.
        function: takes a function, and the structures of TensorSpecs it is called with, to one that
            runs as graphs, traced when it is first called.
        export: writes a model to a folder, with its call as a graph.
        element: takes a function that a dataset was given to what is called, once, with symbolic
            tensors.
        traced: takes a function that an op was given, and the name of the op, to what is called in
            its place where that is once for all runs of what is recorded.
        loop: records the loop over the steps of sequences, given what tells whether another turn is
            made, the turn, what is carried first, and the cell; it gives None if nothing in that is
            the user's.
        array: takes a tensor to what a program has for the array that NumPy would have made.
    """

    call: Callable[[Function], Function] = staticmethod(lambda function: function)
    function: Callable[[Function, tuple[Any, ...]], Function] = staticmethod(
        lambda function, specs: function
    )
    export: Callable[..., None]
    element: Callable[[Function], Function] = staticmethod(lambda function: function)
    traced: Callable[[Function, str], Function] = staticmethod(lambda function, op: function)
    loop: Callable[[Function, Function, list[Any], object], list[Any] | None] = staticmethod(
        lambda test, body, start, cell: None
    )
    array: Callable[[Tensor], Any] = staticmethod(lambda tensor: tensor)


def staged(function: Function) -> Function:
    """Return the function that an op calls in place of the one that it was given.

    >>> staged(abs)(-3)
    3
    """
    if current_recorder() is None or _is_ours(function):
        return function
    return Staging.call(function)


def staged_once(function: Function, op: str) -> Function:
    """Return the function that an op calls once to record a branch or the body of a loop.

    Args:
        function: the function that it was given.
        op: its name, for what is said of the function.

    >>> staged_once(abs, "cond")(-3)
    3
    """
    if current_recorder() is None or _is_ours(function):
        return function
    return Staging.traced(function, op)


def _is_ours(function: Function) -> bool:
    """Tell whether a function says itself what it means in ops."""
    return str(getattr(function, "__module__", "")).startswith(_OURS)


def run(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """Call what may be a function of the user's: where a graph records, as `Staging.call` has it.

    >>> run(max, 1, 2)
    2
    """
    if current_recorder() is None:
        return function(*args, **kwargs)
    return Staging.call(function)(*args, **kwargs)
