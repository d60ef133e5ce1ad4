"""Handles user code that has a variable called `ag__`, the name for operators in generated code.

The user's variable has another name, `STAND_IN`, during the conversion. It gets its name back when
the code is compiled, where the module of the operators is a constant that needs no name, or
printed, where that module gets another name.
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
    """Return a tree (ast or gast) with variables renamed in place.

    Texts that begin with the stand-in, such as the names of state in generated code, are renamed
    too.

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


def for_printing(tree: Any) -> Any:
    """Return a converted tree where the user's `ag__` has its name, and the operators another."""
    found = {name for node in ast.walk(tree) for name in _names_of(node)}
    if STAND_IN not in found:
        return tree
    ours = next(name for n in range(1, 1000) if (name := f"{RESERVED}_{n}") not in found)
    return renamed(tree, {RESERVED: ours, STAND_IN: RESERVED})
