"""Where Python shows that an assertion failed.

Before 3.12 that is at the last comparison of its test, from then on at the test; of `not a in b` it
sees the comparison, which it turns round.
"""

from __future__ import annotations

import ast
import sys
from typing import Any

from autograph.lowering.operator_calls import RELATIONS, is_thunk, word_of

_SHOWS_COMPARISONS = sys.version_info < (3, 12)
_TURNED_ROUND = (ast.In, ast.NotIn, ast.Is, ast.IsNot)
_TURNING = ("same", "differ", "contains", "lacks")
_COMPARING = ("compare", *_TURNING, *RELATIONS)
_WORDS = ("and_", "or_", "not_", "if_exp")


def place_of_failure(test: Any, statement: Any) -> Any:
    """Return the node at whose place an assertion of `test` fails.

    Args:
        test: the converted test.
        statement: has the place of the whole assertion.
    """
    found = _last_comparison(test) if _SHOWS_COMPARISONS else None
    return statement if found is None else found


def place_of_test(test: Any) -> Any:
    """Return the node at whose place the compiler sees the test of an assertion.

    Args:
        test: the converted test.
    """
    operand = test.args[0] if word_of(test) == "not_" else None
    if isinstance(operand, ast.Compare) and isinstance(operand.ops[0], _TURNED_ROUND):
        return operand
    if word_of(operand) in _TURNING:
        return operand
    return test


def _last_comparison(node: Any) -> Any:
    """Return the last comparison that decides which way to go."""
    if isinstance(node, ast.Compare) or word_of(node) in _COMPARING:
        return node
    for operand in reversed(_operands(node)):
        found = _last_comparison(operand.body if is_thunk(operand) else operand)
        if found is not None:
            return found
    return None


def _operands(node: Any) -> list[Any]:
    if word_of(node) in _WORDS:
        return list(node.args)
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.IfExp):
        return [node.test, node.body, node.orelse]
    return [node.operand] if isinstance(node, ast.UnaryOp) and _negates(node) else []


def _negates(node: ast.UnaryOp) -> bool:
    return isinstance(node.op, ast.Not)
