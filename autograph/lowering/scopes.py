"""Names of the user's function: all it mentions, those it binds, and where it deletes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from autograph.syntax.tree import CHILD_FIELDS, children, nodes

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TEXTS = ("id", "name", "arg", "asname", "rest", "names")

Place = tuple[int, int]


def identifiers(tree: ast.AST) -> frozenset[str]:
    """Return every name in a tree, whatever it names.

    >>> sorted(identifiers(ast.parse("def f(x): import a.b as c")))
    ['a.b', 'c', 'f', 'x']
    """
    return identifiers_of(nodes(tree))


def identifiers_of(found: Iterable[ast.AST]) -> frozenset[str]:
    """Return every name in nodes, whatever it names; of each node itself."""
    names: set[str] = set()
    for node in found:
        kind = type(node)
        if kind is ast.Name:
            names.add(node.id)  # type: ignore[attr-defined]
            continue
        for field in _NAMING[kind]:
            value = node.__dict__.get(field)
            if type(value) is str:
                names.add(value)
            elif value.__class__ is list:
                names.update([each for each in value if type(each) is str])
    return frozenset(names)


class _NamingFields(dict[type, tuple[str, ...]]):
    """For a node class the fields that may hold names."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        row = self[kind] = tuple([field for field in kind._fields if field in _TEXTS])
        return row


_NAMING = _NamingFields()


def bound_by_statements(function: Any) -> frozenset[str]:
    """Return the variables that the statements of a function bind in its own scope.

    >>> tree = ast.parse("def f(x):\\n y = [z for z in x]\\n def g(): u = 1").body[0]
    >>> sorted(bound_by_statements(tree))
    ['g', 'y']
    """
    found: set[str] = set()
    declared: set[str] = set()
    for node in _own_nodes(function):
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:
                found.add(node.id)
        elif kind is ast.Global or kind is ast.Nonlocal:
            declared.update(node.names)
        elif kind is ast.alias:
            found.add((node.asname or node.name).partition(".")[0])
        elif _NAMING[kind]:
            fields = [field for field in _NAMING[kind] if field in ("name", "rest")]
            texts = [getattr(node, field, None) for field in fields]
            found.update([text for text in texts if isinstance(text, str)])
    return frozenset(found - declared)


def _own_nodes(function: Any) -> list[Any]:
    """Return the nodes of a function's body but for what is in scopes of their own."""
    found: list[Any] = list(function.body) if isinstance(function.body, list) else []
    for node in found:
        kind = type(node)
        if kind in _COMPREHENSIONS:
            found += [n.target for n in nodes(node) if isinstance(n, ast.NamedExpr)]
        elif CHILD_FIELDS[kind] and kind not in _SCOPES:
            found += children(node)
    return found
