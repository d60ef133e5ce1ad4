"""Parameters of which a function changes the list or dict, itself or in a function it gives it to.

def note(log, x): log.append(x)
def f(x, log=[]): note(log, x)          `log` of both
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from inspect import getattr_static
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.graph.watching.watched import function_inside
from autograph.errors import SourceError
from autograph.function.resolved_names import UNKNOWN, uses_in
from autograph.function.state_uses import CHANGING, line_of_change
from autograph.syntax.source import source_of

_DEEPEST = 4


def changes_parameter(function: FunctionType, name: str, depth: int = 0) -> bool:
    """Tell whether a function may change what it is given for a parameter.

    Without source a line that reads it and changes something counts.

    >>> from autograph.function.state_uses import line_of_change
    >>> changes_parameter(line_of_change, "code"), changes_parameter(_called, "function")
    (False, False)
    """
    try:
        nodes = list(ast.walk(source_of(function).definition))
    except SourceError:
        return line_of_change(function.__code__, name) is not None
    if any(_changed_name(each) == name for each in nodes):
        return True
    return depth < _DEEPEST and any(
        changes_parameter(each, parameter, depth + 1)
        for each, parameter in _given(function, nodes, name)
        if each is not function
    )


def _changed_name(node: ast.AST) -> str | None:
    """Return the variable of which a node changes the value, or an item of it."""
    target: Any = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value if node.func.attr in CHANGING else None
    elif isinstance(node, ast.AugAssign):
        target = node.target
    elif isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        target = node.value
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _given(
    function: FunctionType, nodes: Iterable[ast.AST], name: str
) -> Iterator[tuple[FunctionType, str]]:
    """Yield the functions that one gives a variable of its own, each with its parameter for it."""
    calls = [each for each in nodes if isinstance(each, ast.Call)]
    passing = [(call, place) for call in calls for place in _places(call, name)]
    called = _called(function) if passing else {}
    for call, place in passing:
        for each, skipped in called.get(_last_name(call.func), ()):
            code = each.__code__
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            parameters = names[skipped : code.co_argcount]
            if isinstance(place, int) and place < len(parameters):
                yield each, parameters[place]
            elif place in names:
                yield each, str(place)


def _places(call: ast.Call, name: str) -> Iterator[int | str]:
    """Yield the places and keywords for which a call is given a variable."""
    for at, value in enumerate(call.args):
        if isinstance(value, ast.Starred):
            break
        if isinstance(value, ast.Name) and value.id == name:
            yield at
    for keyword in call.keywords:
        if isinstance(keyword.value, ast.Name) and keyword.value.id == name and keyword.arg:
            yield keyword.arg


def _last_name(callee: ast.expr) -> str:
    return getattr(callee, "attr", getattr(callee, "id", ""))


def _called(function: FunctionType) -> dict[str, list[tuple[FunctionType, int]]]:
    """Return the user's functions that the code of one names, and methods of objects it names.

    Each is with how many parameters an object takes.
    """
    found: dict[str, list[tuple[FunctionType, int]]] = {}
    uses = list(uses_in([function]))
    holders = [type(use.value) for use in uses if use.kind != "attribute"]
    methods = [(use, getattr_static(each, use.name, None)) for use in uses for each in holders]
    for use, value, is_method in (
        *((use, use.value, False) for use in uses if use.value is not UNKNOWN),
        *((use, value, True) for use, value in methods),
    ):
        inner: Any = function_inside(value) or value
        is_method = (is_method or type(inner) is MethodType) and type(value) is not staticmethod
        inner = inner.__func__ if type(inner) is MethodType else inner
        if type(inner) is FunctionType:
            found.setdefault(use.name, []).append((inner, int(is_method)))
    return found
