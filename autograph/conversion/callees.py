"""The functions a function calls, as far as they are known without running it."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gast

from autograph.analysis.grammar import FUNCTIONS
from autograph.syntax import walk
from autograph.syntax.names import bound_names, parameter_nodes

_MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class Called:
    """A call of something that has a value before the function runs.

    Attributes:
        written: the callee as the user wrote it, a name or a dotted name.
        line: the line of the first such call.
        value: what is called.
    """

    written: str
    line: int
    value: Any


def calls_in(
    function: Any, names: Mapping[str, object], arguments: Mapping[str, object] | None = None
) -> tuple[Called, ...]:
    """Return what a function calls by a name bound outside of it, in the order of the source.

    Args:
        function: its definition.
        names: the globals and free variables it sees.
        arguments: the values of parameters that are known, as of the first one of a bound method.

    >>> from autograph.syntax.tree import parse
    >>> definition = parse("def f(x): return log(len(x)) + x()").body[0]
    >>> [called.written for called in calls_in(definition, {"log": print, "x": print})]
    ['log', 'len']
    """
    known = _known(function, names, arguments or {})
    found: dict[str, Called] = {}
    calls = [node for node in walk(function.body) if isinstance(node, gast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        path = _path(call.func)
        written = ".".join(path)
        value = _value(path, known) if path else _MISSING
        if callable(value):
            found.setdefault(written, Called(written, call.lineno, value))
    return tuple(found.values())


def _known(
    function: Any, names: Mapping[str, object], arguments: Mapping[str, object]
) -> dict[str, object]:
    """Return the values of names that mean the same wherever in the function they stand."""
    scopes = [node for node in walk(function.body) if isinstance(node, FUNCTIONS)]
    inside = {name for scope in (function.body, *scopes) for name in bound_names(scope)}
    parameters = {parameter.id for parameter in parameter_nodes(function.args)}
    known = {**vars(builtins), **names}
    known = {name: known[name] for name in known if name not in parameters}
    return {name: v for name, v in {**known, **arguments}.items() if name not in inside}


def _path(node: Any) -> list[str]:
    if isinstance(node, gast.Name):
        return [node.id]
    owner = _path(node.value) if isinstance(node, gast.Attribute) else []
    return [*owner, node.attr] if owner else []


def _value(path: list[str], known: Mapping[str, object]) -> Any:
    """Look a dotted name up without running any code: properties are not asked."""
    value: Any = known.get(path[0], _MISSING)
    for step in path[1:]:
        if value is _MISSING:
            break
        value = inspect.getattr_static(value, step, _MISSING)
        value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    return value
