"""The functions that a user's class defines."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import FunctionType

from autograph.backends.graph.program.object_contents import is_a
from autograph.operators.user_classes import own_attributes

_BOUND_LATER = (staticmethod, classmethod)


def functions_of(kind: type) -> Iterator[FunctionType]:
    """Yield the functions in a class body, those of properties included."""
    for value in own_attributes(kind).values():
        behind = (value.fget, value.fset, value.fdel) if isinstance(value, property) else (value,)
        for each in behind:
            function = getattr(each, "__func__", None) if is_a(each, _BOUND_LATER) else each
            if type(function) is FunctionType:
                yield function


def implicitly_called(kind: type) -> Iterator[FunctionType]:
    """Yield the functions of a class that Python may call without a call in the source."""
    for name, value in own_attributes(kind).items():
        if isinstance(value, property):
            yield from (f for f in (value.fget, value.fset, value.fdel) if type(f) is FunctionType)
        elif type(value) is functools.cached_property and type(value.func) is FunctionType:
            yield value.func
        elif type(value) is FunctionType and name.startswith("__"):
            yield value
