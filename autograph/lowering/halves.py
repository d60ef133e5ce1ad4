"""A compiled function has two halves: the user's own statements, and the converted ones.

    def f(x):                        def f(x):
        if x > 0:                        if <nothing is recorded>:
            return x          ->             if x > 0:
        return -x                                return x
                                             return -x
                                         else:
                                             <the converted statements>

Without a graph to record into there is nothing to stage. A call then runs what the user wrote, in
one frame of its own: the same to a debugger, as fast, and as deep in recursion as before.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from autograph.lowering.constants import Constants

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

# A function that says one of these may begin to record in the middle of a call.
STARTERS = frozenset({"recording", "as_default"})


def with_both_halves(
    converted: Any, original: FunctionNode, vocabulary: object, constants: Constants
) -> Any:
    """Return the function `converted` with the statements of `original` for when nothing records.

    Args:
        converted: the converted function, changed in place.
        original: the user's function; its nodes are shared, not changed.
        vocabulary: has `recorder()`, which gives None while nothing is recorded.
        constants: takes up the objects the code holds.
    """
    first = original.body if isinstance(original, ast.Lambda) else _statements(original)[0]
    word = ast.Attribute(constants.node(vocabulary, first), "recorder", ast.Load())
    test = ast.Compare(ast.Call(word, [], []), [ast.Is()], [ast.Constant(None)])
    for node in ast.walk(test):
        _place(node, first)
    if isinstance(original, ast.Lambda):
        converted.body = _place(ast.IfExp(test, original.body, converted.body), first)
        return converted
    docstring, rest = split_docstring(converted.body)
    ours = [statement for statement in rest if not isinstance(statement, _DECLARATIONS)]
    halves = _place(ast.If(test, _statements(original), ours or [_place(ast.Pass(), first)]), first)
    converted.body = [*docstring, halves]
    return converted


def begins_to_record(function: ast.AST) -> bool:
    """Tell whether a function may start recording by itself.

    >>> begins_to_record(ast.parse("with graph.recording(): pass"))
    True
    """
    return any(
        (isinstance(node, ast.Attribute) and node.attr in STARTERS)
        or (isinstance(node, ast.Name) and node.id in STARTERS)
        for node in ast.walk(function)
    )


# The first half declares what the whole function declares.
_DECLARATIONS = (ast.Global, ast.Nonlocal)


def _statements(function: Any) -> list[ast.stmt]:
    docstring, rest = split_docstring(function.body)
    return rest or [_place(ast.Pass(), (docstring or [function])[0])]


def split_docstring(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Return the docstring, as a list, and the statements after it."""
    first = body[0] if body else None
    is_text = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    return (body[:1], body[1:]) if is_text else ([], body)


def _place(node: Any, origin: Any) -> Any:
    """Put a made-up node at the start of `origin`: it is no line of its own."""
    node.lineno = node.end_lineno = first_line(origin)
    node.col_offset = node.end_col_offset = origin.col_offset
    return node


def first_line(node: Any) -> int:
    """Return the line a statement begins at: that of its first decorator, if it has any."""
    decorators: Sequence[Any] = getattr(node, "decorator_list", ())
    return int(decorators[0].lineno if decorators else node.lineno)
