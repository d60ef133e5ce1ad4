"""Lines of a function for errors: those of its result, its parameters and its changes of state."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph.errors import SourceError
from autograph.syntax.origin import SourceSpan, origin_of
from autograph.syntax.source import FunctionSource, source_of

_Function = Callable[..., object] | None
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def result_of(function: _Function) -> SourceSpan | None:
    """Return the place of a function's only `return`; else that of its definition.

    >>> def double(x):
    ...     return x + x
    >>> result_of(None) is None
    True
    """
    source = _source(function)
    if source is None:
        return None
    if isinstance(source.definition, ast.Lambda):
        return origin_of(source.definition.body, source)
    found = [x for x in _own_nodes(source.definition) if isinstance(x, ast.Return) and x.value]
    return origin_of(found[0], source) if len(found) == 1 else _first_line(source)


def parameter_of(function: _Function, name: str) -> SourceSpan | None:
    """Return the place of a parameter; that of the definition if it is one of `**kwargs`."""
    source = _source(function)
    if source is None:
        return None
    for each in ast.walk(source.definition.args):
        if isinstance(each, ast.arg) and each.arg == name:
            return origin_of(each, source)
    return _first_line(source)


def change_of(function: _Function, names: Iterable[str]) -> SourceSpan | None:
    """Return the place where a function changes state; that of its definition if none is found.

    Args:
        function: the function.
        names: the names of the state, such as `self.count`, `module.seen[:]` and `seen['x']`.
    """
    source = _source(function)
    if source is None:
        return None
    changes = [(node, _changed_by(node)) for node in _own_nodes(source.definition)]
    places = [each.removesuffix("[:]") for each in names]
    for shorten in (_same, _without_item):
        changed = [*map(shorten, places)]
        for node, text in changes:
            if text and any(f".{each}".endswith(f".{shorten(text)}") for each in changed):
                return origin_of(node, source)
    return _first_line(source)


def _same(place: str) -> str:
    return place


def _without_item(place: str) -> str:
    return place.partition("[")[0]


def definition_of(function: _Function) -> SourceSpan | None:
    """Return the place of the definition of a function."""
    source = _source(function)
    return None if source is None else _first_line(source)


def _source(function: _Function) -> FunctionSource | None:
    try:
        return None if function is None else source_of(function)
    except SourceError:
        return None


def _first_line(source: FunctionSource) -> SourceSpan | None:
    found = origin_of(source.definition, source)
    return found and found._replace(column=None, end_line=None, end_column=None)


def _own_nodes(definition: Any) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, in the order of the source, without inner functions."""
    waiting = list(reversed(_body(definition)))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, _SCOPES):
            yield node
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _body(definition: Any) -> list[ast.AST]:
    return definition.body if isinstance(definition.body, list) else [definition.body]


def _changed_by(node: ast.AST) -> str:
    """Return the text of the place that an assignment or a method call changes, "" for none."""
    if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
        return ast.unparse(node)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return ast.unparse(node.func.value)
    return ""
