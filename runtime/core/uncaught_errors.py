"""Errors that nothing catches, as Python and notebooks show them.

A misspelled keyword gets the one that is meant, and the frames of this project are left out:

    before                                      after
    user.py, line 9, in <module>                user.py, line 9, in <module>
    runtime/ops/eager_operators.py, ...
    runtime/ops/op.py, ...

The error is the same before and after it is shown, so a debugger finds all frames.
"""

from __future__ import annotations

import contextlib
import re
import sys
import weakref
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple

from runtime.core.context import Origin
from runtime.core.internal_files import is_internal_file, shows_all_frames
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import ipython_shell

# Modules in which kernels fail, or that stand between functions of this project.
_CALLED = ("concurrent", "contextlib", "functools", "numpy", "threading")

# Python's own errors whose messages are completed.
_COMPLETED = (AttributeError, TypeError, ImportError)

# The parameters of the body of a `for`.
_MADE_UP = re.compile(r"itr(_\d+)?")

_entry_at = lazy_import("runtime.diagnostics.traceback_lines:entry_at")
_complete_message = lazy_import("runtime.core.keyword_suggestions:complete_message")


def show_users_part_of_errors() -> None:
    """Have `sys.excepthook` show the user's part of an error, as above."""
    before = sys.excepthook

    def show(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        _complete(error)
        with users_part(error):
            before(kind, error, error.__traceback__ or traceback)

    sys.excepthook = show
    shell = ipython_shell()
    if shell is not None and not getattr(shell, "custom_exceptions", True):
        shell.set_custom_exc(_COMPLETED, _show_in_notebook)


def _show_in_notebook(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    _complete(error)
    with users_part(error, in_notebook=True):
        shown = (kind, error, error.__traceback__ or traceback)
        shell.showtraceback(shown, tb_offset=tb_offset)


def _complete(error: BaseException) -> None:
    if type(error) in _COMPLETED:
        with contextlib.suppress(Exception):  # the error itself is what has to be shown
            _complete_message(error)


def text_in_notebook(error: BaseException) -> list[str]:
    """Return the lines that IPython shows for an error, without the frames of this project."""
    with users_part(error, in_notebook=True):
        # IPython leaves its own first frames out.
        lines: list[str] = ipython_shell().InteractiveTB.structured_traceback(
            type(error), error, error.__traceback__
        )
    return lines


@contextlib.contextmanager
def users_part(error: BaseException, in_notebook: bool = False) -> Iterator[None]:
    """Leave the frames of this project out of an error, its causes and contexts; in the block only.

    A cause or context that has no other frames is left out as well. A notebook prints the line and
    the parameters of each frame, which those of a statement's body must not show.
    """
    saved = [] if shows_all_frames() else [_ExceptionState.of(each) for each in _chain(error)]
    for each in saved:
        each.reduce(in_notebook)
    try:
        yield
    finally:
        for each in saved:
            each.restore()


class _ExceptionState(NamedTuple):
    """The parts of an exception that are changed while it is shown."""

    error: BaseException
    traceback: TracebackType | None
    cause: BaseException | None
    suppresses_context: bool

    @classmethod
    def of(cls, error: BaseException) -> _ExceptionState:
        return cls(error, error.__traceback__, error.__cause__, error.__suppress_context__)

    def reduce(self, in_notebook: bool) -> None:
        error, entries = self.error, users_traceback(self.traceback)
        entries = _with_own_lines(entries) if in_notebook else entries
        BaseException.with_traceback(error, entries)
        shown = self.cause or (None if self.suppresses_context else error.__context__)
        if shown is not None and (_is_internal(shown) or self._repeats(shown)):
            BaseException.__setattr__(error, "__cause__", None)
            BaseException.__setattr__(error, "__suppress_context__", True)

    def _repeats(self, shown: BaseException) -> bool:
        """Return whether a cause is that of a run, without frames and with the same message."""
        message = getattr(self.error, "message", None)
        return shown.__traceback__ is None and isinstance(message, str) and str(shown) in message

    def restore(self) -> None:
        BaseException.with_traceback(self.error, self.traceback)
        BaseException.__setattr__(self.error, "__cause__", self.cause)
        BaseException.__setattr__(self.error, "__suppress_context__", self.suppresses_context)


def users_traceback(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of this project; the same one if it has no others."""
    entries = _entries(traceback)
    shown = [entry for entry, is_internal in entries if not is_internal]
    if not shown or len(shown) == len(entries):
        return traceback
    last: TracebackType | None = None
    for each in reversed(shown):
        last = TracebackType(last, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return last


def _with_own_lines(entry: TracebackType | None) -> TracebackType | None:
    """Return a traceback in which each frame is at its entry's line, without made-up parameters."""
    if entry is None:
        return None
    frame, following = entry.tb_frame, _with_own_lines(entry.tb_next)
    code = frame.f_code
    is_made_up = code.co_argcount > 0 and _MADE_UP.fullmatch(code.co_varnames[0])
    if is_made_up or frame.f_lineno != entry.tb_lineno:
        origin = Origin(code.co_filename, entry.tb_lineno, code.co_name)
        origin.instruction = weakref.ref(code), entry.tb_lasti
        if (made := _entry_at(origin)) is not None:
            made.tb_next = following
            return made
    return TracebackType(following, frame, entry.tb_lasti, entry.tb_lineno)


def _is_internal(error: BaseException) -> bool:
    entries = _entries(error.__traceback__)
    return bool(entries) and all(is_internal for _, is_internal in entries)


def _entries(entry: TracebackType | None) -> list[tuple[TracebackType, bool]]:
    """Return the entries of a traceback, and whether each is a frame of this project.

    So are those of the modules that it calls for its own purposes.
    """
    found: list[tuple[TracebackType, bool]] = []
    is_internal = False
    while entry is not None:
        frame = entry.tb_frame
        module = str(frame.f_globals.get("__name__")).partition(".")[0]
        is_ours = is_internal_file(frame.f_code.co_filename)
        is_internal = is_ours or (is_internal and module in _CALLED)
        found.append((entry, is_internal))
        entry = entry.tb_next
    return found


def _chain(error: BaseException) -> list[BaseException]:
    """Return an error, its causes and contexts, each once."""
    found: list[BaseException] = [error]
    for each in found:
        linked = (each.__cause__, each.__context__)
        found += [one for one in linked if one is not None and all(one is not k for k in found)]
    return found
