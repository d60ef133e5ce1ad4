"""`super()` without arguments gets its arguments: the class, and the first parameter.

super().area()    ->    super(__class__, self).area()
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.converters.base import Conversion, Converter, Tree, main_function
from autograph.converters.node_builders import name
from autograph.converters.rewriter import Rewriter
from autograph.syntax.names import bound_names


class Supers(Converter):
    """`super()` gets its class and the first parameter of its function.

    Before: `super().area()`. After: `super(__class__, self).area()`.
    """

    handles = (gast.Call,)

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        return "super" in facts.inventory.identifiers

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        function = main_function(tree)
        if "super" in bound_names(function) or "super" in (conversion.namespace or ()):
            return tree  # a name of the user's own
        rewriter = _Supers(in_class=conversion.source.class_name is not None)
        rewriter.enter(function)
        if isinstance(tree, gast.Lambda):
            tree.body = rewriter.visit(tree.body)
            return tree
        return rewriter.rewrite(tree)


class _Supers(Rewriter):
    """Rewrites the calls of `super` in a class; Python raises its own error for others."""

    def __init__(self, in_class: bool) -> None:
        self._first: str | None = None
        self._in_class = in_class

    def enter(self, function: Any) -> str | None:
        """Set the first parameter to that of `function`; return the former one."""
        before = self._first
        parameters = [*function.args.posonlyargs, *function.args.args]
        self._first = parameters[0].id if parameters else None
        if _deletes(function, {"__class__", self._first}):
            self._first = None  # then Python raises its own error
        return before

    def function(self, node: Any, walk: Any) -> None:
        before = self.enter(node)
        walk()
        self._first = before

    def visit_GeneratorExp(self, node: Any) -> Any:
        # In its frame, the first variable is the iterable: Python raises its own error.
        node.generators[0].iter = self.visit(node.generators[0].iter)
        before, self._first = self._first, None
        self.generic(node)
        self._first = before
        return node

    def visit_ClassDef(self, node: Any) -> Any:
        before, self._in_class = self._in_class, True
        super().visit_ClassDef(node)
        self._in_class = before
        return node

    def visit_Lambda(self, node: Any) -> Any:
        node.args = self.visit(node.args)
        before = self.enter(node)
        node.body = self.visit(node.body)
        self._first = before
        return node

    def visit_Call(self, node: Any) -> Any:
        self.generic(node)
        is_super = isinstance(node.func, gast.Name) and node.func.id == "super"
        if not is_super or node.args or node.keywords:
            return node
        if self._in_class and self._first is not None:
            node.args = [name("__class__", node), name(self._first, node)]
        return node


def _deletes(function: Any, names: set[str | None]) -> bool:
    return any(
        isinstance(target, gast.Name) and target.id in names
        for node in gast.walk(function)
        if isinstance(node, gast.Delete)
        for target in node.targets
    )
