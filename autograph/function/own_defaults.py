"""Defaults of parameters that a function changes: state of the function, as Python has them.

def count(x, n=[0]):
    n[0] += 1            each call finds what the last one has left

A call that leaves such an argument out gives the function no copy, but the default itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from inspect import Parameter
from types import FunctionType
from typing import Any

from autograph.function.uses import line_of_change
from runtime.loading import if_imported

_CHANGEABLE = (list, dict, set, deque)


class OwnDefault:
    """Stands in a call for a default that the function changes.

    Args:
        value: the default.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


def default_of(function: Callable[..., object] | None, parameter: Parameter) -> Any:
    """Return the default of a parameter, or what stands for one that the function changes.

    >>> def count(n=[0], m=[0]):
    ...     n[0] += m[0]
    >>> import inspect
    >>> n, m = inspect.signature(count).parameters.values()
    >>> type(default_of(count, n)).__name__, default_of(count, m)
    ('OwnDefault', [0])
    """
    inner: Any = getattr(function, "__func__", function)
    default = parameter.default
    if not isinstance(inner, FunctionType):
        return default
    if isinstance(default, if_imported("runtime.tensor_array.TensorArray")):
        return OwnDefault(default)  # each method changes it
    if type(default) not in _CHANGEABLE:
        return default
    changes = line_of_change(inner.__code__, parameter.name) is not None
    return OwnDefault(default) if changes else default
