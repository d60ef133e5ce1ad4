"""Lowering of string formatting: operators wrap the values that are formatted.

    f"{a}: {b:.1f}"    ->    ag__.joined(f"{ag__.text(a)}: {ag__.text(b):.1f}")
    "%d of %d" % x     ->    ag__.left_of_percent("%d of %d") % x

Python still formats its own values, in its own order. The result of a `__str__` is made a Python
string, as Python requires: `return ag__.marked(...)`.
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.operator_calls import invoke, operator_of
from autograph.lowering.tree_visitors import Transformer
from autograph.options import TEXT_METHODS

GENERATED_PREFIX = "tf__"


def with_string_operators(function: Any, numbers: frozenset[str]) -> Any:
    """Return the converted function with the operators for strings, changed in place.

    Args:
        function: the converted function.
        numbers: variables that contain nothing but numbers.
    """
    return _StringOperators(numbers).visit(function)


def _is_for_python(name: str) -> bool:
    return name.removeprefix(GENERATED_PREFIX) in TEXT_METHODS


class _StringOperators(Transformer):
    def __init__(self, numbers: frozenset[str]) -> None:
        self._marks_results = False
        self._numbers = numbers

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        values = [each for each in node.values if isinstance(each, ast.FormattedValue)]
        for each in values:
            self._mark(each)
        needed = any(not isinstance(v.value, ast.Constant) for v in values)
        return invoke("joined", [node], node) if needed else node

    def visit_Return(self, node: ast.Return) -> Any:
        self.generic_visit(node)
        if self._marks_results and node.value is not None:
            node.value = invoke("marked", [node.value], node.value)
        return node

    def _mark(self, formatted: ast.FormattedValue) -> None:
        formatted.value = self.visit(formatted.value)
        spec = getattr(formatted.format_spec, "values", ())
        inner = [each for each in spec if isinstance(each, ast.FormattedValue)]
        if inner or not isinstance(formatted.value, ast.Constant):
            operator = "sized" if inner else "text"
            formatted.value = invoke(operator, [formatted.value], formatted.value)
        for each in inner:
            self._mark(each)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mod) and self._may_be_text(node.left):
            node.left = invoke("left_of_percent", [node.left], node.left)
        return node

    def _may_be_text(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return type(node.value) is str
        if isinstance(node, ast.Name):
            return node.id not in self._numbers
        return (
            isinstance(node, (ast.JoinedStr, ast.Attribute, ast.Subscript))
            or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add))
            or operator_of(node) in ("ld", "joined", "operand", "load_operand")
        )

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node.body = [self.visit(each) if isinstance(each, inside) else each for each in node.body]
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        outer, self._marks_results = self._marks_results, _is_for_python(node.name)
        node.body = [each for old in node.body for each in _listed(self.visit(old))]
        node.args = self.visit(node.args)
        self._marks_results = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node: ast.arg) -> Any:
        return node  # annotations may be strings


def _listed(result: Any) -> list[Any]:
    return result if isinstance(result, list) else [result]
