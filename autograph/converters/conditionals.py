"""Conditional expressions become calls that evaluate one of two thunks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.reasons import reason_not_lambda
from autograph.converters.base import Conversion, Converter, Tree
from autograph.converters.calls import Calls
from autograph.converters.node_builders import constant, operator_call, thunk
from autograph.converters.postconditions import expressions_left
from autograph.converters.rewriter import Rewriter
from autograph.converters.supers import Supers


class Conditionals(Converter):
    """Conditional expressions become `ag__.if_exp`; the last argument is the test as written.

    Before: `x if c else y`. After: `ag__.if_exp(c, lambda: x, lambda: y, 'c')`.
    """

    after = {
        Supers: "a super() in a branch would not find its class",
        Calls: "generated calls are not the user's",
    }
    handles = (gast.IfExp,)
    removes = (gast.IfExp,)
    makes = (gast.Lambda,)

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        left = expressions_left(tree, gast.IfExp)
        return (node for node in left if not (stays(node.body) or stays(node.orelse)))

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Conditionals(conversion).rewrite(tree)


class _Conditionals(Rewriter):
    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion

    def visit_IfExp(self, node: Any) -> Any:
        text = self._conversion.text_of(node.test)
        self.generic(node)
        if reason := reason_not_lambda(node.body, node.orelse):
            self._conversion.report_python(node, reason)
            return node
        self._conversion.report_staged(node)
        arguments = [node.test, thunk(node.body), thunk(node.orelse), constant(text, node)]
        return operator_call("if_exp", arguments, node)


# -- expressions that cannot be put into a lambda --------------------------------------------------


def stays(expression: Any) -> bool:
    """Return whether an expression binds a name or suspends its function.

    >>> from autograph.syntax.tree import parse_expression
    >>> stays(parse_expression("(y := x) + 1")), stays(parse_expression("x + 1"))
    (True, False)
    """
    return bool(reason_not_lambda(expression))
