"""`assert` becomes a call, which evaluates the message only if the test fails.

assert x > 0, text(x)    ->    ag__.assert_stmt(x > 0, lambda: text(x))

Under `python -O` there are no assertions, and none are converted.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.reasons import reason_not_lambda
from autograph.converters.base import Conversion, Converter, Tree
from autograph.converters.node_builders import constant, new, operator_call, thunk
from autograph.converters.rewriter import Rewriter
from autograph.converters.supers import Supers


class Asserts(Converter):
    """Assertions become calls of `ag__.assert_stmt`.

    Before: `assert x > 0`. After: `ag__.assert_stmt((x > 0), None)`.
    """

    after = {Supers: "a super() in a message would not find its class"}
    handles = (gast.Assert,)
    makes = (gast.Lambda,)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Asserts(conversion).rewrite(tree)


class _Asserts(Rewriter):
    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion

    def visit_Assert(self, node: Any) -> Any:
        if not __debug__:
            self._conversion.report_note(node, "does nothing under `python -O`")
            return node
        if node.msg is not None and (reason := reason_not_lambda(node.msg)):
            self._conversion.report_python(node, f"in its message, {reason}")
            return node
        self._conversion.report_staged(node)
        message = constant(None, node) if node.msg is None else thunk(node.msg)
        return new(gast.Expr, node, value=operator_call("assert_stmt", [node.test, message], node))
