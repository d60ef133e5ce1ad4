"""The parameters of the `call` of a layer, looked at once."""

from __future__ import annotations

import inspect
from typing import Any


def parameters_of(layer: Any) -> tuple[dict[str, Any], bool]:
    """Return the names of the parameters with their defaults, and whether `call` takes any name.

    >>> class Example:
    ...     _own = type("Own", (), {"takes": None})()
    ...     def call(self, inputs, training=False, **kwargs): ...
    >>> parameters_of(Example())
    ({'inputs': None, 'training': False}, True)
    """
    if layer._own.takes is None:
        layer._own.takes = found_in(layer.call)
    found: tuple[dict[str, Any], bool] = layer._own.takes
    return found


def found_in(call: Any) -> tuple[dict[str, Any], bool]:
    parameters = inspect.signature(call).parameters.values()
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    named = {
        p.name: None if p.default is p.empty else p.default
        for p in parameters
        if p.kind not in several
    }
    return named, any(p.kind is p.VAR_KEYWORD for p in parameters)
