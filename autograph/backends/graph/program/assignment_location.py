"""The location of the assignment in a loop's body that gives a variable its value."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

from autograph.backends.graph.program.source_location import SourceLocation, user_location

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def assignment_in_loop(name: str) -> SourceLocation | None:
    """Return the location of the last assignment of a variable in the user's current loop.

    That of the loop is returned if its source is not found, or nothing in it assigns the variable.

    Args:
        name: the variable, such as `x` or `self.total`.
    """
    here = user_location()
    if here is None:
        return None
    try:
        tree = ast.parse("".join(linecache.getlines(here.filename)))
    except (SyntaxError, ValueError, RecursionError):
        return here
    loops = (each for each in ast.walk(tree) if isinstance(each, (ast.For, ast.While)))
    loop = next((each for each in loops if each.lineno == here.line), None)
    found = [] if loop is None else list(_assignments(loop.body, name))
    if not found or found[-1].end_col_offset is None:
        return here
    columns = found[-1].col_offset, found[-1].end_col_offset
    return here._replace(line=found[-1].lineno, columns=columns)


def _assignments(statements: list[ast.stmt], name: str) -> Iterator[ast.expr]:
    """Yield the targets in some statements that are a variable, in the order of the source."""
    waiting: list[ast.AST] = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            if isinstance(node.ctx, ast.Store) and ast.unparse(node) == name:
                yield node
        waiting += reversed(list(ast.iter_child_nodes(node)))
