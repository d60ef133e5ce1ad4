"""Names of the user's function: all it mentions, those it binds, and where it deletes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograph.syntax.tree import children, nodes

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TEXTS = ("id", "name", "arg", "asname", "rest")

Place = tuple[int, int]


def identifiers(tree: ast.AST) -> frozenset[str]:
    """Return every name in a tree, whatever it names.

    >>> sorted(identifiers(ast.parse("def f(x): import a.b as c")))
    ['a.b', 'c', 'f', 'x']
    """
    found: set[str] = set()
    for node in nodes(tree):
        for field in _TEXTS:
            value = getattr(node, field, None)
            if type(value) is str:
                found.add(value)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return frozenset(found)


def functions_by_place(tree: ast.AST) -> dict[Place, Any]:
    """Return the function definitions in a tree by where they stand."""
    return {(n.lineno, n.col_offset): n for n in nodes(tree) if isinstance(n, _FUNCTIONS)}


def matches_by_place(tree: ast.AST) -> dict[Place, Any]:
    """Return the `match` statements in a tree by where they stand."""
    return {(n.lineno, n.col_offset): n for n in nodes(tree) if isinstance(n, ast.Match)}


def deletions(tree: ast.AST) -> frozenset[Place]:
    """Return where variables are deleted.

    >>> sorted(deletions(ast.parse("del x, (y, z[0])")))
    [(1, 4), (1, 8)]
    """
    return frozenset(
        (node.lineno, node.col_offset)
        for node in nodes(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
    )


def deletions_of(tree: ast.AST) -> set[str]:
    """Return the variables that are deleted somewhere, or not the function's own.

    >>> sorted(deletions_of(ast.parse("global u\ndel x, (y, z[0])")))
    ['u', 'x', 'y']
    """
    found: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            found.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return found


def bound_by_statements(function: Any) -> frozenset[str]:
    """Return the variables that the statements of a function bind in its own scope.

    >>> tree = ast.parse("def f(x):\\n y = [z for z in x]\\n def g(): u = 1").body[0]
    >>> sorted(bound_by_statements(tree))
    ['g', 'y']
    """
    found: set[str] = set()
    declared: set[str] = set()
    for node in _own_nodes(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.add(node.id)
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            declared.update(node.names)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        else:
            texts = (getattr(node, field, None) for field in ("name", "rest"))
            found.update(text for text in texts if isinstance(text, str))
    return frozenset(found - declared)


def _own_nodes(function: Any) -> Iterator[Any]:
    """Yield the nodes of a function's body but for what is in scopes of their own."""
    waiting: list[Any] = list(function.body) if isinstance(function.body, list) else []
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _COMPREHENSIONS):
            waiting += [n.target for n in nodes(node) if isinstance(n, ast.NamedExpr)]
        elif not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting += children(node)
