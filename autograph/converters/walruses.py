"""A walrus in code that becomes a function binds through the cell of its variable.

x > 0 and (y := x + 1) > 2    ->    ag__.and_(lambda: x > 0,
                                        lambda: ag__.bound(lambda: y, x + 1) > 2)

A lambda cannot bind a variable of the function around it, so `ag__.bound` gets a thunk that has the
variable in its closure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.analysis.frame_bound import is_frame_bound
from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import NamedInThunk
from autograph.converters.base import Conversion, Converter, Tree, body_of, set_body
from autograph.converters.declarations import Declarations
from autograph.converters.functions import Functions
from autograph.converters.node_builders import name, new, operator_call, thunk, undefined
from autograph.converters.rewriter import Rewriter
from autograph.syntax.names import declared_names, parameter_nodes, walk_scope


class Walruses(Converter):
    """Walruses in code that becomes a function become `NamedInThunk`s.

    Before: `a and (y := b)`. After: the same with a `NamedInThunk` as the walrus, and a mark in the
    variable at the start of the function.
    """

    after = {
        Declarations: "a declared variable is not local to the function",
        Functions: "the marks must be inside the function's scope",
    }
    handles = (gast.NamedExpr,)
    makes = (NamedInThunk, gast.Assign)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        if isinstance(tree, (gast.FunctionDef, gast.AsyncFunctionDef)):
            finder = _WalrusFinder()
            finder.function(tree, lambda: finder.rewrite(tree))
        return tree


def with_marked_walruses(expression: Any) -> Any:
    """Return an expression that becomes a function of its own, with its walruses marked."""
    return _WalrusFinder(lazy=True).visit(expression)


class _WalrusFinder(Rewriter):
    def __init__(self, lazy: bool = False) -> None:
        self._lazy = lazy
        self._found: dict[str, Any] = {}
        self._inside: Any = None

    def function(self, node: Any, walk: Callable[[], None]) -> None:
        if node is self._inside:
            return walk()
        before = self._lazy, self._found, self._inside
        self._lazy, self._found, self._inside = False, {}, node
        walk()
        own = {*declared_names(node.body), *(each.id for each in parameter_nodes(node.args))}
        seeds = [undefined(each, origin) for each, origin in self._found.items() if each not in own]
        if seeds:
            set_body(node, [*seeds, *body_of(node)])
        self._lazy, self._found, self._inside = before
        return None

    def visit_NamedExpr(self, node: Any) -> Any:
        self.generic(node)
        if not self._lazy:
            return node
        self._found.setdefault(node.target.id, node)
        return new(NamedInThunk, node, target=node.target, value=node.value)

    def visit_Lambda(self, node: Any) -> Any:
        # A walrus in the body of a lambda binds a variable of the lambda.
        node.args = self.visit(node.args)
        return node

    def _lazily(self, node: Any, *fields: str) -> Any:
        """Visit a node some of whose fields (all, if none are named) become functions."""
        before = self._lazy
        for field in node._fields:
            value = getattr(node, field)
            self._lazy = before or not fields or field in fields
            if isinstance(value, list):
                self._list(node, field)
            elif isinstance(value, gast.AST):
                setattr(node, field, self.visit(value))
        self._lazy = before
        return node

    def visit_BoolOp(self, node: Any) -> Any:
        return self._lazily(node)

    def visit_IfExp(self, node: Any) -> Any:
        return self._lazily(node, "body", "orelse")

    def visit_Compare(self, node: Any) -> Any:
        return self._lazily(node) if len(node.ops) > 1 else self.generic(node)

    def visit_ListComp(self, node: Any) -> Any:
        return self._lazily(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_AugAssign(self, node: Any) -> Any:
        # `x[i] += v`: the right operand becomes a function, since the item is read first.
        is_put_off = isinstance(node.target, gast.Subscript) and not has_pins(node.value)
        return self._lazily(node, "value") if is_put_off else self.generic(node)

    def visit_Assert(self, node: Any) -> Any:
        return self._lazily(node, "msg")


def has_pins(value: Any) -> bool:
    """Return whether an expression cannot become a function, because of an `await` or the like."""
    return any(is_frame_bound(each) for each in walk_scope(value))


class BoundInThunks(Converter):
    """`NamedInThunk`s become calls of `ag__.bound`.

    Before: a `NamedInThunk`. After: see the top of this file.
    """

    handles = (NamedInThunk,)
    makes = (gast.Lambda,)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Binder().rewrite(tree)


class _Binder(Rewriter):
    def visit(self, node: Any) -> Any:
        return self._bound(node) if type(node) is NamedInThunk else super().visit(node)

    def _bound(self, node: Any) -> Any:
        self.generic(node)
        variable = thunk(name(node.target.id, node.target))
        return operator_call("bound", [variable, node.value], node)
