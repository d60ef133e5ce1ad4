"""The user's line, for errors, and the kinds of statements that are being traced."""

from __future__ import annotations

import dis
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import StagingError
from runtime.core.context import is_internal_frame, line_of

# A statement that is within itself more often than this is a recursion without an end.
_MOST_NESTED = 40
# The instruction before the end of a function that returns None.
_NONE = "LOAD_CONST", None
_WITHOUT_END = (
    "a function calls itself on a condition that only a run knows, so tracing it has no end: write "
    "a loop, with a list or an array as the stack"
)


def location() -> SourceLocation | None:
    """Return the line of the user's code that runs now; None if none does."""
    frame = _users_frame()
    if frame is None:
        return None
    return SourceLocation(frame.f_code.co_filename, line_of(frame), frame.f_code.co_name)


def line_of_result(function: Any) -> SourceLocation | None:
    """Return the line of the latest `return` of a converted function.

    A function that has ended without one returns None: it is the line of its last `return` of a
    value, if it has any.
    """
    where, code = STACKS.returned, getattr(function, "__code__", None)
    if where is None or code is None or code.co_filename != where.filename:
        return where
    line_at = {at: line for *ends, line in code.co_lines() for at in range(*ends)}
    steps = list(dis.get_instructions(code))
    lines = [
        line_at.get(step.offset) or 0
        for before, step in zip([*steps[:1], *steps], steps)
        if (step.opname == "RETURN_CONST" and step.argval is not None)
        or (step.opname == "RETURN_VALUE" and (before.opname, before.argval) != _NONE)
    ]
    return where if where.line in lines or not any(lines) else where._replace(line=max(lines))


def variable_of(value: object) -> str | None:
    """Return the variable of the running code that has a value; None without one."""
    frame = _users_frame()
    held = {} if frame is None else frame.f_locals
    # The names that conversion makes end with an underscore.
    named = (name for name, each in held.items() if each is value and name[-1] != "_")
    return next(named, None)


def _users_frame() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        package = (frame.f_globals.get("__name__") or "").partition(".")[0]
        if package != "jax" and not is_internal_frame(frame):
            return frame
        frame = frame.f_back
    return None


class TracingStack(threading.local):
    """The statements, paths and loops that this thread traces, outermost first.

    Attributes:
        nested: the codes of statements.
        conditions: functions that return the conditions of paths; a check counts where all hold.
        loops: the loops.
        tries: the `try` statements whose bodies are traced (`raised_errors.OpenTry`).
        pairs: the containers that may be one object (`aliases.AliasPair`).
        derived: results of `not`, `and` and `or`, by their ids, with the words and operands.
        facts: values with the truth that they have on the paths.
        depth: the number of converted functions that the user asked for and that run now.
        outermost: the frame of the outermost of these.
        returned: the line of the latest `return` of such a function.
    """

    def __init__(self) -> None:
        self.nested: list[object] = []
        self.conditions: list[Callable[[], Any]] = []
        self.loops: list[Any] = []
        self.tries: list[Any] = []
        self.pairs: list[Any] = []
        self.derived: dict[int, tuple[object, list[tuple[str, tuple[object, ...]]]]] = {}
        self.facts: list[tuple[object, bool]] = []
        self.depth = 0
        self.outermost: FrameType | None = None
        self.returned: SourceLocation | None = None


STACKS = TracingStack()


@contextmanager
def nested(code: object, where: SourceLocation | None) -> Iterator[None]:
    """Refuse a statement that is traced within itself without an end: a recursion.

    Raises:
        StagingError: the statement is nested too often.
    """
    if STACKS.nested.count(code) >= _MOST_NESTED:
        raise StagingError(_WITHOUT_END, where)
    STACKS.nested.append(code)
    try:
        yield
    except RecursionError:
        raise StagingError(_WITHOUT_END, where) from None
    finally:
        STACKS.nested.pop()
