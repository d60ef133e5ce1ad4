"""What is made up for a function stands on no line of its `def`.

A debugger, and a trace of the lines that run, show the user's statements alone.
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.operator_calls import put, unlined
from autograph.lowering.versioning import split_docstring
from autograph.syntax.tree import nodes


def off_its_line(function: Any, body: list[Any]) -> list[Any]:
    """Take what is made up off the line of `def`: the beginning goes to the line that follows it.

    A `return` on no line is one for each way to it, and on the line of that way; but what begins on
    no line begins on that of `def`.
    """
    place = (function.lineno, function.col_offset)

    def is_made_up(statement: ast.stmt) -> bool:
        if statement.lineno < 0:
            return not hasattr(statement, "body")  # a loop has no line, but its test has
        return (statement.lineno, statement.col_offset) == place

    _, rest = split_docstring(body)
    running = (each for each in rest if not isinstance(each, (ast.Global, ast.Nonlocal)))
    first = next((each for each in running if not is_made_up(each)), None)
    is_beginning = True
    for each in body:
        is_beginning = is_beginning and each is not first
        if is_made_up(each) and (is_beginning or each.lineno >= 0):
            if first is None or isinstance(each, ast.Return):
                unlined(each)
            else:
                _put_before(each, first)
    return body


def _put_before(statement: ast.stmt, following: ast.stmt) -> None:
    for node in nodes(statement):
        if "lineno" in node._attributes:
            put(node, following)
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
