"""Walruses that bind through a cell, and the marks their variables need on the staged road.

ag__.bound(lambda: y, x + 1)    ->    (y := x + 1)                      in Python's own form
ag__.and_rest(t, lambda: ...)   ->    (y := ag__.ldu(lambda: y, 'y'), ag__.and_rest(...))[1]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograph.lowering.operator_calls import put, read, say, word_of
from autograph.syntax.tree import nodes


def named_again(call: ast.Call, value: Any) -> ast.NamedExpr:
    """Return the walrus a call stands for."""
    variable: Any = call.args[0]
    return _named(variable.body.id, value, call)


def with_marks(staged: ast.Call) -> Any:
    """Return a call before which each variable bound in it that is unbound gets a mark."""
    names = dict.fromkeys(_bound_in(staged))
    if not names:
        return staged
    marks = [_named(name, _mark(name, staged), staged) for name in names]
    everything = put(ast.Tuple([*marks, staged], ast.Load()), staged)
    last = put(ast.Constant(len(marks)), staged)
    return put(ast.Subscript(everything, last, ast.Load()), staged)


def _bound_in(node: ast.AST) -> Iterator[str]:
    for each in nodes(node):
        if word_of(each) == "bound":
            yield each.args[0].body.id


def _mark(name: str, origin: Any) -> ast.expr:
    nothing = ast.arguments([], [], None, [], [], None, [])
    thunk = put(ast.Lambda(nothing, read(name, origin)), origin)
    return say("ldu", [thunk, put(ast.Constant(name), origin)], origin)


def _named(name: str, value: Any, origin: Any) -> ast.NamedExpr:
    target = put(ast.Name(name, ast.Store()), origin)
    named: ast.NamedExpr = put(ast.NamedExpr(target, value), origin)
    return named
