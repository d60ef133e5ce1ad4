"""Why Python asked a tensor for a value it has not got yet: what stayed Python there."""

from __future__ import annotations

import traceback
from types import CellType, FrameType, FunctionType
from typing import TYPE_CHECKING

from autograph.conversion.convert import explain
from autograph.errors import AutographError
from autograph.operators.frames import original_of
from runtime.errors import SymbolicTensorError

if TYPE_CHECKING:
    from autograph.converters.report import Entry


def advise(error: Exception) -> None:
    """Add to the error of a tensor without a value what stayed Python around it, and why.

    Nothing is added where everything around was converted, or the source cannot be found.
    """
    if not isinstance(error, SymbolicTensorError):
        return
    frames = list(traceback.walk_tb(error.__traceback__))
    if not frames:
        return
    last, line = frames[-1]
    for frame, _ in reversed(frames):
        # A function defined in another one is told of with that one.
        if frame.f_code.co_filename != last.f_code.co_filename:
            continue
        found = _innermost(kept_in(frame), line)
        if found is not None:
            error.message = f"{error.message}; {_told(found)}"
            return


def kept_in(frame: FrameType) -> tuple[Entry, ...]:
    """Return what stays Python in the function a frame runs."""
    code = original_of(frame.f_code)
    cells = tuple(CellType() for _ in code.co_freevars)
    try:
        return explain(FunctionType(code, frame.f_globals, code.co_name, None, cells)).kept
    except (AutographError, SyntaxError, OSError, ValueError):
        return ()


def _innermost(entries: tuple[Entry, ...], line: int) -> Entry | None:
    """Return the entry with the fewest lines that has this one among them."""
    around = [e for e in entries if e.origin.line <= line <= (e.origin.end_line or e.origin.line)]
    return min(around, key=lambda e: (e.origin.end_line or 0) - e.origin.line, default=None)


def _told(entry: Entry) -> str:
    return f"{entry.construct} of line {entry.line} stays Python: {entry.reason}"
