"""Watches the objects that a traced function reaches, starting at the callable itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.graph.state.object_paths import function_inside
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.operators.calls import method_called


def reach_into(reach: Reach, python_function: Callable[..., object]) -> list[FunctionType]:
    """Watch the objects that a callable holds or its code mentions; return its functions."""
    inside = python_function
    while isinstance(inside, functools.partial):
        reach.add("partial", (inside.args, tuple(inside.keywords.values())), DEEPEST)
        inside = inside.func
    if isinstance(inside, MethodType):
        reach.add("self", inside.__self__, DEEPEST)
    functions = list(_functions_in(inside))
    for function in functions:
        reach.add_outer(function, DEEPEST, is_traced=True)
        reach.note(function)
    reach.add("self", inside, DEEPEST)
    return functions


def _functions_in(value: Any) -> Iterator[FunctionType]:
    """Yield the functions that run when a callable is called."""
    if isinstance(value, functools.partial):
        yield from _functions_in(value.func)
    elif isinstance(value, MethodType):
        yield from _functions_in(value.__func__)
    elif isinstance(value, FunctionType):
        yield value
    elif (inner := function_inside(value)) is not None:
        yield from _functions_in(inner)
    elif (method := method_called(value)) is not None:
        yield method
