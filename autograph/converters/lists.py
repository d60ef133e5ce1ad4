"""`append` and `pop` become operator calls, which also handle lists of a graph.

l.append(x)    ->    ag__.list_append(l, x)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.converters.base import Conversion, Converter, Tree
from autograph.converters.node_builders import new, operator_call
from autograph.converters.rewriter import Rewriter
from autograph.syntax.origin import position_of

# For each method, the numbers of positional arguments that it takes for a list.
_METHODS: Mapping[str, tuple[int, ...]] = {"append": (1,), "pop": (0, 1)}


class Lists(Converter):
    """List methods become `ag__.list_append` and `ag__.list_pop`.

    Before: `x = l.pop()`. After: `x = ag__.list_pop(l)`.
    """

    handles = (gast.Call,)
    methods: Mapping[str, tuple[int, ...]] = _METHODS

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        return not facts.inventory.identifiers.isdisjoint(self.methods)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Lists(conversion, self.methods).rewrite(tree)


class GrowingLists(Lists):
    """The same for backends that make a new list of it: `extend` and `[*l, x]` as well.

    Before: `l.extend(items)`, `[*l, x]`. After: `ag__.list_extend(l, items)`,
    `ag__.display(list, l, (x,))`.
    """

    methods: Mapping[str, tuple[int, ...]] = {**_METHODS, "extend": (1,)}

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        return True

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Displays(conversion, self.methods).rewrite(tree)


class _Lists(Rewriter):
    def __init__(self, conversion: Conversion, methods: Mapping[str, tuple[int, ...]]) -> None:
        self._conversion, self._methods = conversion, methods

    def visit_Call(self, node: Any) -> Any:
        self.generic(node)
        function = node.func
        if not isinstance(function, gast.Attribute) or node.keywords:
            return node
        if len(node.args) not in self._methods.get(function.attr, ()):
            return node
        if any(isinstance(argument, gast.Starred) for argument in node.args):
            return node
        self._conversion.report_staged(node)
        call = operator_call(f"list_{function.attr}", [function.value, *node.args], node)
        call.func.__dict__.update(position_of(function) or {})
        return call


class _Displays(_Lists):
    def visit_List(self, node: Any) -> Any:
        return self._displayed(node, "list")

    def visit_Tuple(self, node: Any) -> Any:
        return self._displayed(node, "tuple")

    def _displayed(self, node: Any, kind: str) -> Any:
        self.generic(node)
        is_star = [isinstance(item, gast.Starred) for item in node.elts]
        if not isinstance(node.ctx, gast.Load) or not any(is_star):
            return node
        parts = [
            item.value
            if isinstance(item, gast.Starred)
            else new(gast.Tuple, item, elts=[item], ctx=gast.Load())
            for item in node.elts
        ]
        return operator_call(f"{kind}_display", parts, node)
