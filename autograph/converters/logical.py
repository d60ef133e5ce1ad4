"""`and`, `or`, `not` and chained comparisons become calls that evaluate no more than Python does.

a and b      ->    ag__.and_(lambda: a, lambda: b)
not a        ->    ag__.not_(a)
a < b < c    ->    ag__.compare(a, '<', lambda: b, '<', lambda: c)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.reasons import reason_not_lambda
from autograph.converters.base import Conversion, Converter, Tree
from autograph.converters.calls import Calls
from autograph.converters.conditionals import stays
from autograph.converters.node_builders import constant, operator_call, thunk
from autograph.converters.postconditions import expressions_left
from autograph.converters.returns import Returns
from autograph.converters.rewriter import Rewriter
from autograph.converters.supers import Supers

_SYMBOLS = {
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}


class Logical(Converter):
    """Logical expressions become `ag__.and_`, `ag__.or_`, `ag__.not_` and `ag__.compare`.

    Before and after: see the top of this file. A comparison of two operands stays.
    """

    after = {
        Supers: "a super() in an operand would not find its class",
        Calls: "generated calls are not the user's",
        Returns: "the flags that guard statements are tested with `not`",
    }
    handles = (gast.BoolOp, gast.UnaryOp, gast.Compare)
    removes = (gast.BoolOp,)
    makes = (gast.Lambda,)

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        left = expressions_left(tree, gast.BoolOp)
        return (node for node in left if not any(map(stays, node.values)))

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Logical(conversion).rewrite(tree)


class _Logical(Rewriter):
    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion

    def visit_BoolOp(self, node: Any) -> Any:
        self.generic(node)
        if reason := reason_not_lambda(*node.values):
            self._conversion.report_python(node, reason)
            return node
        self._conversion.report_staged(node)
        operator = "and_" if isinstance(node.op, gast.And) else "or_"
        return operator_call(operator, [thunk(value) for value in node.values], node)

    def visit_UnaryOp(self, node: Any) -> Any:
        self.generic(node)
        if not isinstance(node.op, gast.Not):
            return node
        self._conversion.report_staged(node)
        return operator_call("not_", [node.operand], node)

    def visit_Compare(self, node: Any) -> Any:
        self.generic(node)
        if len(node.ops) == 1:
            return node
        if reason := reason_not_lambda(*node.comparators):
            self._conversion.report_python(node, reason)
            return node
        self._conversion.report_staged(node)
        pairs = zip(node.ops, node.comparators)
        rest = [part for op, right in pairs for part in (_symbol(op, right), thunk(right))]
        return operator_call("compare", [node.left, *rest], node)


def _symbol(op: Any, origin: Any) -> gast.Constant:
    return constant(_SYMBOLS[type(op)], origin)
