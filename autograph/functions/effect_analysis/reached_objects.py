"""Finds the objects and functions that a function can reach, without running it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.graph.objects.object_contents import StoredAttributes, users_classes_of
from autograph.backends.graph.state.object_paths import function_inside
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.operators.calls import method_called
from autograph.operators.user_classes import functions_of
from runtime import nest


def all_reached(function: Any, given: Iterable[object] = ()) -> tuple[Reach, list[FunctionType]]:
    """Return the objects that a function may read, and the functions that it may call.

    The search follows names and attributes: it finds all that a trace runs, and more.

    Args:
        function: the user's function.
        given: its arguments.
    """
    reach = Reach([], sees_opaque=False)
    reach.add("function", function, DEEPEST)
    for value in given:
        for leaf in nest.flatten(value):
            reach.add("argument", leaf, DEEPEST)
    found: dict[int, FunctionType] = {}
    waiting = list(_functions(function))
    looked_at = 0
    while waiting or looked_at < len(reach):
        while waiting:
            each = waiting.pop()
            if id(each) not in found:
                found[id(each)] = each
                reach.add_outer(each, DEEPEST)
                reach.add_mentioned(each, DEEPEST)
        for watched in reach[looked_at:]:
            looked_at += 1
            for value in (watched.value, *watched.contents.values()):
                waiting.extend(_functions(value))
    return reach, list(found.values())


def _functions(value: Any) -> Iterator[FunctionType]:
    if isinstance(value, FunctionType):
        yield value
    elif isinstance(value, MethodType):
        yield from _functions(value.__func__)
        yield from _functions(type(value.__self__))
    elif isinstance(value, functools.partial):
        yield from _functions(value.func)
    elif type(value) is StoredAttributes:
        yield from _functions(value.owner)
    elif (inner := function_inside(value)) is not None:
        yield from _functions(inner)
    elif isinstance(value, type):
        for kind in users_classes_of(value):
            yield from functions_of(kind)
    elif type(value).__module__ != "builtins":
        yield from _functions(type(value))


def reach_into(reach: Reach, python_function: Callable[..., object]) -> list[FunctionType]:
    """Watch the objects that a callable references or its code mentions; return its functions."""
    inside = python_function
    while isinstance(inside, functools.partial):
        reach.add("partial", (inside.args, tuple(inside.keywords.values())), DEEPEST)
        inside = inside.func
    if isinstance(inside, MethodType):
        reach.add("self", inside.__self__, DEEPEST)
    functions = list(_functions_called(inside))
    for function in functions:
        reach.add_outer(function, DEEPEST, is_traced=True)
        reach.note(function)
    reach.add("self", inside, DEEPEST)
    return functions


def _functions_called(value: Any) -> Iterator[FunctionType]:
    """Yield the functions that run when a callable is called."""
    if isinstance(value, functools.partial):
        yield from _functions_called(value.func)
    elif isinstance(value, MethodType):
        yield from _functions_called(value.__func__)
    elif isinstance(value, FunctionType):
        yield value
    elif (inner := function_inside(value)) is not None:
        yield from _functions_called(inner)
    elif (method := method_called(value)) is not None:
        yield method
