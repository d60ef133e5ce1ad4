"""Handles user code that itself uses the name `ag__`.

Generated code says `ag__` for its vocabulary. Where the user's own code has a variable of that
name, a stand-in takes its place until the code is compiled, where the vocabulary is a constant and
needs no name, or printed, where the vocabulary is given another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import gast

RESERVED = "ag__"
STAND_IN = "ag__of_the_user"

_FIELDS = ("id", "arg", "name", "asname", "rest")
_DECLARATIONS = (ast.Global, ast.Nonlocal, gast.Global, gast.Nonlocal)
_ALIASES = (ast.alias, gast.alias)
_KEYWORDS = (ast.keyword, gast.keyword)


def renamed(tree: Any, names: Mapping[str, str]) -> Any:
    """Return a tree, of either kind, with variables renamed in place.

    Texts that begin with such a variable, as generated code names its state, are renamed as well
    where they are a stand-in's.

    >>> ast.unparse(renamed(ast.parse("x = f(x=x).x"), {"x": "y"}))
    'y = f(x=y).x'
    """
    for node in ast.walk(tree):
        if isinstance(node, _DECLARATIONS):
            node.names = [names.get(name, name) for name in node.names]
        elif isinstance(node, _ALIASES):
            _rename_import(node, names)
        elif isinstance(node, (ast.Constant, gast.Constant)):
            node.value = _text(node.value, names)
        elif not isinstance(node, _KEYWORDS):
            for field in _FIELDS:
                value = getattr(node, field, None)
                if type(value) is str and value in names:
                    setattr(node, field, names[value])
    return tree


def _names_of(node: Any) -> Iterator[str]:
    if isinstance(node, _DECLARATIONS):
        yield from node.names
    for field in _FIELDS:
        value = getattr(node, field, None)
        if type(value) is str:
            yield value


def _rename_import(alias: Any, names: Mapping[str, str]) -> None:
    bound = alias.asname or alias.name
    if bound in names:
        alias.asname = names[bound]


def _text(value: object, names: Mapping[str, str]) -> object:
    if type(value) is not str or STAND_IN not in names or not value.startswith(STAND_IN):
        return value
    rest = value[len(STAND_IN) :]
    return value if rest[:1].isidentifier() else names[STAND_IN] + rest


def spelled(tree: Any) -> Any:
    """Return a converted tree for printing: the user's `ag__` keeps its name, ours gets another."""
    found = {name for node in ast.walk(tree) for name in _names_of(node)}
    if STAND_IN not in found:
        return tree
    ours = next(name for n in range(1, 1000) if (name := f"{RESERVED}_{n}") not in found)
    return renamed(tree, {RESERVED: ours, STAND_IN: RESERVED})
