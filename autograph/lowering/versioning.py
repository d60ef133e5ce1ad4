"""Function versioning: an eager version with the user's own statements, and a traced version.

    def f(x):                        def f(x):
        if x > 0:                        if <nothing is recorded>:
            return x          ->             if x > 0:
        return -x                                return x
                                             return -x
                                         else:
                                             <the converted statements>

While nothing is recorded, a call runs the user's own statements in one frame: a debugger shows the
same, it is as fast, and recursion gets as deep. The eager version differs from them in item
assignments to tensors alone (`item_assignment`).
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from autograph.lowering.constants import Constants
from autograph.lowering.item_assignment import with_rebound_items
from autograph.lowering.operator_calls import put
from autograph.lowering.user_function import UserFunction
from autograph.syntax.tree import nodes

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def with_both_versions(
    converted: Any, original: UserFunction, line: int, vocabulary: Any, constants: Constants
) -> Any:
    """Return the function `converted` with an eager version: the statements of `original`.

    Args:
        converted: the converted function, changed in place.
        original: the user's function; its nodes are shared, not changed.
        line: the line of its first statement, which synthetic nodes get.
        vocabulary: has `recorder()`, which returns None while nothing is recorded.
        constants: collects the objects that the code references.
    """
    users: FunctionNode = original.function
    column = users.body.col_offset if isinstance(users, ast.Lambda) else 0
    place = ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)
    operator: Any = constants.node(vocabulary.recorder, place)
    test = ast.Compare(ast.Call(operator, [], []), [ast.Is()], [ast.Constant(None)])
    for node in nodes(test):
        put(node, place)
    if isinstance(users, ast.Lambda):
        converted.body = put(ast.IfExp(test, users.body, converted.body), place)
        return converted
    docstring, rest = split_docstring(converted.body)
    _, first = split_docstring(users.body)
    first = with_rebound_items(original, first, vocabulary, constants)
    traced = [statement for statement in rest if not isinstance(statement, _DECLARATIONS)]
    converted.body = [*docstring, put(ast.If(test, first or [place], traced or [place]), place)]
    return converted


def first_line_run(code: CodeType) -> int:
    """Return the line of a function that runs first when it is called.

    It need not be the line of the first statement, which may be a declaration, or an expression
    over several lines.

    >>> def declares():
    ...     global one
    ...     one = 1
    >>> first_line_run(declares.__code__) - declares.__code__.co_firstlineno
    2
    """
    lines = (line for _, _, line in code.co_lines() if line not in (None, code.co_firstlineno))
    return next(lines, code.co_firstlineno)


# The eager version has all the declarations of the whole function.
_DECLARATIONS = (ast.Global, ast.Nonlocal)


def split_docstring(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Return the docstring, as a list, and the statements after it."""
    first = body[0] if body else None
    is_text = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    return (body[:1], body[1:]) if is_text else ([], body)
