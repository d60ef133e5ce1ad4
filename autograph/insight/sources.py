"""Finds statements and functions of the user's source by file and line."""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator
from itertools import pairwise
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.insight.line_follower import FollowedDefinition
from autograph.syntax.recompile import ignoring_compiler_warnings

_LONGEST = 60
_BLOCKS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try)
_FUTURES = 0x1FF0000  # the flags of `from __future__` statements


def statement_text(filename: str, line: int, heads: bool = False) -> str:
    """Return the text of the innermost statement on a line; of an `if` or `while` the condition.

    A long text is cut. It is empty if the source cannot be read.

    Args:
        filename: the file.
        line: the line.
        heads: whether to prefer the head of the outermost statement that begins on the line.
    """
    return _statement_text(_text(filename), line, heads)


@functools.lru_cache(maxsize=1024)
def _statement_text(text: str, line: int, heads: bool) -> str:
    tree = _tree(text)
    found = _innermost(tree, line) if tree is not None else None
    if heads:
        found = next((n for n in _statements(text) if n.lineno == line), found)
    is_head = heads and hasattr(found, "body")
    if found is None or (not is_head and _shares_line(text, line)):
        # There may be several statements on the line, so that the whole line is shown.
        lines = text.split("\n")
        return _short(lines[line - 1].strip() if 0 < line <= len(lines) else "")
    return _short(_head(found, text))


def _shares_line(text: str, line: int) -> bool:
    """Return whether several simple statements are, or have a part, on a line."""
    simple = (
        node
        for node in _statements(text)
        if _first_line(node) <= line <= _last_line(node) and not hasattr(node, "body")
    )
    return len(list(simple)) > 1


def loop_with_head(filename: str, line: int) -> tuple[int, int] | None:
    """Return the first lines of the loop whose head is on a line, and of its body.

    None if no head of a loop is on the line, or the body begins on the same line.
    """
    for node in _statements(_text(filename)):
        if isinstance(node, ast.For | ast.While):
            body = _first_line(node.body[0])
            if node.lineno <= line < body:
                return node.lineno, body
    return None


def lines_with_code(filename: str, lines: range) -> frozenset[int]:
    """Return the lines of `lines` on which a statement begins that Python executes."""
    return frozenset(
        node.lineno
        for node in _statements(_text(filename))
        if node.lineno in lines and not _leaves_no_code(node)
    )


def _leaves_no_code(node: ast.stmt) -> bool:
    """Return whether a statement is a declaration, or a constant such as a docstring."""
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_constant or isinstance(node, ast.Global | ast.Nonlocal)


def lines_before_continue(filename: str) -> dict[int, int]:
    """Return the line of each `continue` after a statement of its block, with that one's line.

    Such a `continue` at the end of a body leaves no code in the converted function.
    """
    found: dict[int, int] = {}
    for node in _statements(_text(filename)):
        for _, block in ast.iter_fields(node):
            for before, after in pairwise(block if isinstance(block, list) else ()):
                if isinstance(after, ast.Continue):
                    found[after.lineno] = before.lineno
    return found


def lines_of_head(filename: str, first: int) -> range:
    """Return the lines of a definition before its body."""
    for node in _statements(_text(filename)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _first_line(node) == first:
            return range(first, max(node.body[0].lineno, first + 1))
    return range(first, first + 1)


@functools.lru_cache(maxsize=16)
def _statements(text: str) -> tuple[Any, ...]:
    """Return all statements of a file, outer ones first."""
    tree = _tree(text)
    return () if tree is None else tuple(n for n in ast.walk(tree) if isinstance(n, ast.stmt))


def function_at(
    place: FollowedDefinition, global_values: dict[str, Any], flags: int
) -> FunctionType | None:
    """Return a new function of a definition, with empty cells; None if it is not found.

    Args:
        place: the definition.
        global_values: the globals of the function.
        flags: the flags of its code, with those of `from __future__` statements.
    """
    text = _text(place.filename)
    try:
        with ignoring_compiler_warnings():
            code = compile(text, place.filename, "exec", flags & _FUTURES, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    for inner in _codes(code):
        if (inner.co_name, inner.co_firstlineno) == (place.name, place.line):
            cells = tuple(CellType() for _ in inner.co_freevars)
            return FunctionType(inner, global_values, place.name, None, cells)
    return None


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _text(filename: str) -> str:
    return "".join(linecache.getlines(filename))


@functools.lru_cache(maxsize=16)
def _tree(text: str) -> ast.Module | None:
    try:
        with ignoring_compiler_warnings():
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _innermost(tree: ast.AST, line: int) -> ast.AST | None:
    found = None
    stack = [tree]
    while stack:
        node = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)) and (
                isinstance(child, ast.match_case) or _first_line(child) <= line <= _last_line(child)
            ):
                found = child if isinstance(child, ast.stmt) else found
                stack.append(child)
    return found


def _first_line(node: Any) -> int:
    decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
    return min([node.lineno, *decorators])


def _last_line(node: Any) -> int:
    return node.end_lineno or node.lineno


def _head(node: Any, text: str) -> str:
    if isinstance(node, (ast.If, ast.While, ast.Assert)):
        return _segment(text, node.test)
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return f"for {_segment(text, node.target)} in {_segment(text, node.iter)}"
    if isinstance(node, ast.Match):
        return f"match {_segment(text, node.subject)}"
    if isinstance(node, (*_BLOCKS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return _segment(text, node).partition("\n")[0].rstrip(": ")
    return _segment(text, node)


def _segment(text: str, node: ast.AST) -> str:
    return ast.get_source_segment(text, node) or ""


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
