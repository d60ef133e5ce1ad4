"""Private names of a class are mangled as by Python.

    self.__count    ->    self._Counter__count

Generated code has names in texts, which the compiler does not mangle.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.converters.base import Conversion, Converter, Tree
from autograph.syntax.tree import children, nodes

# Keyword arguments of calls and attributes in patterns are not mangled, as in Python.
_TEXT_FIELDS = ("id", "attr", "name", "asname", "rest")
# The fields that are mangled in a class inside of the function.
_FIELDS_INSIDE = ("id", "attr")


class PrivateNames(Converter):
    """Names that begin with two underscores get the name of their class.

    Before: `self.__count`. After: `self._Counter__count`, in a method of `Counter`.
    """

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        return any(map(_is_private, facts.inventory.identifiers))

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        prefix = (conversion.source.class_name or "").lstrip("_")
        if prefix:
            _mangle(tree, f"_{prefix}", _TEXT_FIELDS)
        for node in nodes(tree):
            if isinstance(node, gast.ClassDef) and _declares_private(node):
                own = node.name.lstrip("_")
                for statement in node.body if own else ():
                    _mangle(statement, f"_{own}", _FIELDS_INSIDE)
        return tree


def _declares_private(node: Any) -> bool:
    """Return whether a class has a `global` or `nonlocal` declaration of a private name."""
    declarations = (each for each in nodes(node) if isinstance(each, (gast.Global, gast.Nonlocal)))
    return any(_is_private(name) for each in declarations for name in each.names)


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__") and "." not in name


def _mangle(node: Any, prefix: str, fields: tuple[str, ...]) -> None:
    for field in fields:
        value = getattr(node, field, None)
        if isinstance(value, str) and _is_private(value):
            setattr(node, field, prefix + value)
    if isinstance(node, (gast.Global, gast.Nonlocal)):
        node.names = [prefix + name if _is_private(name) else name for name in node.names]
    for child in _children(node):
        _mangle(child, prefix, fields)


def _children(node: Any) -> list[Any]:
    """Return the children whose names have the prefix of the same class: no nested class bodies."""
    if isinstance(node, gast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    return list(children(node))
