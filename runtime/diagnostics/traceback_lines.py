"""Traceback entries for the user's lines that a graph stands for.

An executor raises the errors of a graph, so their tracebacks would end there. With the entries made
here they end at the user's code instead:

    Traceback (most recent call last):
      File "app.py", line 20, in <module>
        f(x)
      File "model.py", line 7, in f            <- made by `show_lines`
        raise ValueError("negative")
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import CodeType, TracebackType

from runtime.core.context import Origin, is_internal_frame

_NAME = "error"


def show_lines(error: BaseException, origins: Sequence[Origin]) -> None:
    """Append the positions `origins` to the traceback of `error`, outermost first; in place.

    The entries that it already has come before them.

    >>> error = ValueError("negative")
    >>> show_lines(error, [Origin("model.py", 7, "f")])
    >>> error.__traceback__.tb_lineno, error.__traceback__.tb_frame.f_code.co_name
    (7, 'f')
    """
    entries = _entries(origins)
    if entries is None:
        return
    last = error.__traceback__
    if last is None:
        BaseException.with_traceback(error, entries)
        return
    while last.tb_next is not None:
        last = last.tb_next
    last.tb_next = entries


def without_internal_frames(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of this project."""
    shown = []
    while traceback is not None:
        if not is_internal_frame(traceback.tb_frame):
            shown.append(traceback)
        traceback = traceback.tb_next
    last: TracebackType | None = None
    for entry in reversed(shown):
        last = TracebackType(last, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return last


def _entries(origins: Sequence[Origin]) -> TracebackType | None:
    following: TracebackType | None = None
    for origin in reversed(origins):
        entry = entry_at(origin)
        if entry is not None:
            entry.tb_next = following
            following = entry
    return following


def entry_at(origin: Origin) -> TracebackType | None:
    """Return a new traceback entry of a frame that was executing at a position."""
    found = _raised_at(origin)
    return found and TracebackType(None, found.tb_frame, found.tb_lasti, found.tb_lineno)


@lru_cache(maxsize=1024)
def _raised_at(origin: Origin) -> TracebackType | None:
    try:
        code = _code_at(origin)
    except (ValueError, OverflowError):
        return None  # a position no code can have
    try:
        next(_raising(code))
    except _Raised as raised:
        made = raised.__traceback__
        for _ in range(2):
            assert made is not None
            made = made.tb_next
        # Otherwise the entry would keep the running code and the handled exception alive.
        raised.__traceback__ = raised.__context__ = None
        return made
    return None


def _raising(code: CodeType) -> Iterator[None]:
    # A generator's frame does not keep its callers alive, here the frames that run the graph.
    exec(code, {"__name__": "", _NAME: _Raised()})
    yield


class _Raised(BaseException):
    """Raised only to create a traceback entry."""


@lru_cache(maxsize=1024)
def _code_at(origin: Origin) -> CodeType:
    """Return code that raises at a position; without columns the traceback shows no carets.

    It is that of a function which begins where the user's does: notebooks count lines from there.
    """
    raised = ast.Name(_NAME, ast.Load())
    statement = ast.Raise(raised, None)
    column, end = origin.column, origin.end_column
    for node in (statement, raised):
        node.lineno = node.end_lineno = origin.line
        node.col_offset = -1 if column is None or end is None else column
        node.end_col_offset = -1 if column is None or end is None else end
    around = ast.parse("def f(): pass")
    function = around.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.name, function.body = origin.function, [statement]
    function.lineno = function.end_lineno = _first_line(origin)
    code = compile(around, origin.filename, "exec")
    return next(each for each in code.co_consts if isinstance(each, CodeType))


def _first_line(origin: Origin) -> int:
    """Return the first line of the function that recorded a node; its own if that is gone."""
    code = None if origin.instruction is None else origin.instruction[0]()
    return origin.line if code is None else code.co_firstlineno
