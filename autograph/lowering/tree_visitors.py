"""Visitors and transformers of `ast` trees, faster than those of `ast`; copies of nodes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar

from autograph.syntax.tree import BLOCK_FIELDS, CHILD_FIELDS, children


class Visitor:
    """Calls `visit_X(node)` for nodes of class `X`, and visits the children of all others.

    Subclasses only have `visit_X` methods: the walk does not call `visit` for each node.

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
        """Visit the children of a node."""
        visits = self._visits
        for child in children(node):
            kind = type(child)
            method = visits.get(kind)
            if method is not None:
                method(self, child)
            elif CHILD_FIELDS[kind]:
                self.generic_visit(child)


class Transformer(Visitor):
    """A visitor that replaces each node by the result of `visit_X`.

    In a list of statements, the result may be a list of statements, or None for no statement.
    """

    def generic_visit(self, node: Any) -> Any:
        """Replace the children of a node, in place, and return the node."""
        values = node.__dict__
        visits = self._visits
        # A text or None in a field has no fields of its own.
        for field in CHILD_FIELDS[type(node)]:
            value = values.get(field)
            kind = type(value)
            if kind is not list:
                method = visits.get(kind)
                if method is not None:
                    values[field] = method(self, value)
                elif CHILD_FIELDS[kind]:
                    self.generic_visit(value)
            elif not visits.keys().isdisjoint(map(type, value)):
                value[:] = self._items(value)
            else:
                for item in value:
                    if CHILD_FIELDS[type(item)]:
                        self.generic_visit(item)
        return node

    def _items(self, items: list[Any]) -> list[Any]:
        result: list[Any] = []
        visits = self._visits
        for item in items:
            kind = type(item)
            method = visits.get(kind)
            if method is not None:
                new = method(self, item)
            else:
                # So has one in a list.
                new = self.generic_visit(item) if CHILD_FIELDS[kind] else item
            if new.__class__ is list:
                result += new
            elif new is not None or item is None:
                result.append(new)
        return result


class StatementTransformer(Transformer):
    """A transformer of statements, which visits no expressions."""

    def generic_visit(self, node: Any) -> Any:
        """Replace the statements inside of a node, in place, and return the node."""
        values = node.__dict__
        for field in BLOCK_FIELDS[type(node)]:
            value = values.get(field)
            if value.__class__ is list and value:
                value[:] = self._items(value)
        return node


# -- copies ----------------------------------------------------------------------------------------


def with_fields(node: Any, fields: dict[str, Any]) -> Any:
    """Return a copy of a node with some fields replaced."""
    cls: Any = type(node)
    new = cls.__new__(cls)
    new.__dict__.update(node.__dict__)
    new.__dict__.update(fields)
    return new


def with_children(node: Any, rewritten: Callable[[Any], Any]) -> Any:
    """Return a node with each child rewritten, as a copy; the node itself if nothing changes."""
    changed: dict[str, Any] = {}
    values = node.__dict__
    for field in CHILD_FIELDS[type(node)]:
        value = values.get(field)
        if isinstance(value, ast.AST):
            new: Any = rewritten(value)
            if new is not value:
                changed[field] = new
        elif value and value.__class__ is list:
            new = [rewritten(v) if isinstance(v, ast.AST) else v for v in value]
            if [*map(id, new)] != [*map(id, value)]:
                changed[field] = new
    return with_fields(node, changed) if changed else node
