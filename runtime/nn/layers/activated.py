"""Activations of layers, which may be functions of the user's."""

from __future__ import annotations

from typing import Any

from runtime.core.converter_hooks import run


def activated(function: Any, *values: Any, **told: Any) -> Any:
    """Return what a function gives; where a graph records, what it becomes there.

    >>> activated(abs, -2.0), activated(None, 3.0)
    (2.0, 3.0)
    """
    if function is None:
        return values[0]
    return run(function, *values, **told)
