"""A choice that is a statement of its own becomes an `if`, which leaves nothing to throw away.

    a if t else b    ->    if t: a
                           else: b

The compiler of Python 3.13 loses count of its stack where what it throws away is on no line.
"""

from __future__ import annotations

import ast
import sys
from typing import Any

from autograph.lowering.operator_calls import put
from autograph.lowering.tree_visitors import StatementTransformer

_LOSES_COUNT = sys.version_info >= (3, 13)


def with_choices_as_statements(function: Any) -> Any:
    """Return the converted function with such statements in that form, changed in place."""
    return _Choices().visit(function) if _LOSES_COUNT else function


class _Choices(StatementTransformer):
    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if not isinstance(value, ast.IfExp):
            return node
        then, orelse = (self._statement(each, node) for each in (value.body, value.orelse))
        return put(ast.If(value.test, [then], [orelse]), node)

    def _statement(self, value: ast.expr, origin: ast.Expr) -> Any:
        return self.visit_Expr(put(ast.Expr(value), origin))
