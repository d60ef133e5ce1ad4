"""The location in the user's file that is being staged, and the variables and assignments there."""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections.abc import Iterator
from itertools import islice
from types import FrameType
from typing import NamedTuple

from runtime.core.context import is_internal_frame, line_of
from runtime.core.source_names import line_name

# The names of the temporaries of compiled code.
_MADE_UP = re.compile(r"(lasting_)?(value|items|item|place|vars|pending|caught)_(_\d+)?|itr(_\d+)?")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class SourceLocation(NamedTuple):
    """A position in the user's file, printed with its line and carets under the expression.

    Attributes:
        columns: the start and end of the expression in the line, in UTF-8 bytes; None if unknown.
    """

    filename: str
    line: int
    function: str
    columns: tuple[int, int] | None = None

    def describe(self) -> str:
        """Return `at FILE:LINE, in FUNCTION` and the source line where it can be read."""
        head = f"at {line_name(self.filename, self.line)}, in {self.function}"
        line = linecache.getline(self.filename, self.line).rstrip()
        if not line.strip():
            return head
        indent = len(line) - len(line.lstrip())
        return "\n  ".join([head, line.lstrip(), *self._carets(line, indent)])

    def _carets(self, line: str, indent: int) -> list[str]:
        if self.columns is None:
            return []
        raw = line.encode()
        first, last = (len(raw[:c].decode(errors="replace")) for c in self.columns)
        first = max(first, indent)
        return [" " * (first - indent) + "^" * max(last - first, 1)]


def user_location(*besides: str) -> SourceLocation | None:
    """Return the location of the innermost frame of user code; None if there is none.

    Args:
        besides: names of other modules that are not user code.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_internal_frame(frame) and frame.f_globals.get("__name__") not in besides:
            code = frame.f_code
            return SourceLocation(code.co_filename, line_of(frame), code.co_name, _columns(frame))
        frame = frame.f_back
    return None


def variable_of(value: object) -> str | None:
    """Return the variable of an object in the user's innermost function; None without one."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_frame(frame):
        frame = frame.f_back
    variables = {} if frame is None or value is None else frame.f_locals
    names = (name for name, each in variables.items() if each is value)
    return next((name for name in names if not _MADE_UP.fullmatch(name)), None)


def _columns(frame: FrameType) -> tuple[int, int] | None:
    """Return the columns of the running instruction in its first line; None before Python 3.11."""
    if sys.version_info < (3, 11):
        return None
    at = frame.f_lasti // 2
    line, end_line, first, last = next(
        islice(frame.f_code.co_positions(), at, None), (None, None, None, None)
    )
    if line is None or first is None or last is None:
        return None
    # For an expression on several lines, only the first line is shown, with carets to its end.
    whole = len(linecache.getline(frame.f_code.co_filename, line).rstrip().encode())
    return first, last if end_line == line else whole


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
