"""The base of converters that rewrite expressions anywhere in a function."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar

import gast

from autograph.analysis.grammar import holders, is_function_scope, is_operator
from autograph.converters.base import definitions_in

Visit = Callable[[Any, Any], Any]

# Fields without expressions to rewrite: identifiers, contexts, annotations in a function, which
# Python never evaluates, and nodes that must keep their form (decorators, patterns).
_SKIPPED = frozenset(
    """annotation arg attr asname conversion ctx decorator_list id is_async kind kwd_attrs level
    module name names op ops pattern rest returns simple str type_comment type_params""".split()
)
_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: Any) -> tuple[str, ...]:
    fields = tuple(field for field in kind._fields if field not in _SKIPPED)
    _fields[kind] = fields
    return fields


class Rewriter:
    """Visits the nodes that a function evaluates, outer before inner; `visit_X` replaces a node.

    For a statement, `visit_X` may return a list. Defaults of the main function, decorators, class
    bodies (but not their methods) and patterns are not visited.
    """

    _visits: ClassVar[dict[type, Visit]] = {}

    def __init_subclass__(cls) -> None:
        cls._visits = {
            getattr(gast, name.removeprefix("visit_")): getattr(cls, name)
            for name in dir(cls)
            if name.startswith("visit_")
        }

    def rewrite(self, tree: Any) -> Any:
        """Rewrite the main function of a tree in place; return the tree."""
        if isinstance(tree, (gast.FunctionDef, gast.AsyncFunctionDef)):
            self._inside_function(tree)
        else:
            self._lambda_body(tree.value)
        return tree

    def _lambda_body(self, node: gast.Lambda) -> None:
        """Visit the body of the main lambda; if it has a scope, the body inside the scope."""
        body = node.body
        if isinstance(body, gast.Call) and is_operator(body.func, "with_function_scope"):
            node = body.args[0]
        node.body = self.visit(node.body)

    def _inside_function(self, node: Any) -> None:
        self.function(node, lambda: self._list(node, "body"))

    def function(self, node: Any, walk: Callable[[], None]) -> None:
        """Visit the inside of a function by calling `walk`; subclasses add state around it."""
        walk()

    def visit(self, node: Any) -> Any:
        """Return the replacement of a node."""
        visit = self._visits.get(type(node))
        return visit(self, node) if visit is not None else self.generic(node)

    def generic(self, node: Any) -> Any:
        """Visit the children of a node; return the node."""
        values = node.__dict__
        for field in _fields.get(type(node)) or _fields_of(type(node)):
            value = values.get(field)
            if type(value) is list:
                if value:
                    self._list(node, field)
            elif isinstance(value, ast.AST):
                values[field] = self.visit(value)
        return node

    def _list(self, node: Any, field: str) -> None:
        result: list[Any] = []
        for item in getattr(node, field):
            new = self.visit(item) if isinstance(item, ast.AST) else item
            if type(new) is list:
                result += new
            else:
                result.append(new)
        setattr(node, field, result)

    def visit_FunctionDef(self, node: Any) -> Any:
        """Visit the parameters of a function, then its body by `function`."""
        node.args = self.visit(node.args)
        self._inside_function(node)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: Any) -> Any:
        """Visit the bodies of the methods, each by `function`, and of nested classes."""
        # A thunk in a method's defaults would not see the names of the class.
        for definition in definitions_in(node.body):
            if isinstance(definition, gast.ClassDef):
                self.visit(definition)
            else:
                self._inside_function(definition)
        return node

    def visit_With(self, node: Any) -> Any:
        """Visit all parts of a `with`; only the body if it opens a function scope."""
        if is_function_scope(node):
            self._list(node, "body")
            return node
        return self.generic(node)

    def visit_Name(self, node: Any) -> Any:
        """Return the name as it is."""
        return node

    def visit_Constant(self, node: Any) -> Any:
        """Return the constant as it is."""
        return node

    def visit_arguments(self, node: Any) -> Any:
        """Visit the default values of the parameters."""
        self._list(node, "defaults")
        self._list(node, "kw_defaults")
        return node

    def visit_Match(self, node: Any) -> Any:
        """Visit the subject and the cases of a `match`."""
        node.subject = self.visit(node.subject)
        for case in holders(node):
            self.generic(case)
        return node

    def visit_TypeAlias(self, node: Any) -> Any:
        """Return the type alias as it is."""
        return node
