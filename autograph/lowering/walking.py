"""Walks over `ast` trees, quick enough for the many this room makes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar

from autograph.syntax.tree import CHILD_FIELDS, children


class Visitor:
    """Calls `visit_X(node)` for nodes of class `X`, and goes on below all others.

    >>> class Names(Visitor):
    ...     def visit_Name(self, node):
    ...         print(node.id)
    >>> Names().visit(ast.parse("a + f(b)"))
    a
    f
    b
    """

    _visits: ClassVar[dict[type, Callable[[Any, Any], Any]]] = {}

    def __init_subclass__(cls) -> None:
        cls._visits = {
            getattr(ast, name.removeprefix("visit_")): getattr(cls, name)
            for name in dir(cls)
            if name.startswith("visit_")
        }

    def visit(self, node: Any) -> Any:
        """Visit a node."""
        method = self._visits.get(type(node))
        return self.generic_visit(node) if method is None else method(self, node)

    def generic_visit(self, node: Any) -> Any:
        """Visit what is below a node."""
        for child in children(node):
            self.visit(child)


class Transformer(Visitor):
    """A visitor that puts what `visit_X` returns in the place of the node: another one, in a list
    of statements also several or none.
    """

    def generic_visit(self, node: Any) -> Any:
        """Replace what is below a node, in place, and return the node."""
        values = node.__dict__
        for field in CHILD_FIELDS[type(node)]:
            value = values.get(field)
            if isinstance(value, ast.AST):
                values[field] = self.visit(value)
            elif value.__class__ is list:
                value[:] = self._items(value)
        return node

    def _items(self, items: list[Any]) -> list[Any]:
        result: list[Any] = []
        for item in items:
            new = self.visit(item) if isinstance(item, ast.AST) else item
            if new.__class__ is list:
                result += new
            elif new is not None or item is None:
                result.append(new)
        return result
