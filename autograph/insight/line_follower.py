"""Follows the lines and calls of user code, plain or converted.

A converted function has several frames: its own, and those of the bodies in it that became
functions. Here they are one `FollowedCall`, as in the source.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Protocol

from autograph.operators.frames import code_info_of, is_body, is_internal_code

_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})


@dataclass(frozen=True, slots=True)
class FollowedDefinition:
    """The definition of a function, which its plain and converted forms share."""

    filename: str
    line: int
    name: str


@dataclass(eq=False, repr=False)
class FollowedCall:
    """One call of a user's function.

    Attributes:
        definition: the called function.
        frame: the frame of the call, not that of a body in it.
        names: the user's local variables.
    """

    definition: FollowedDefinition
    frame: FrameType
    names: frozenset[str]


class LineListener(Protocol):
    """A listener to calls, lines and ends of calls."""

    def entered(self, call: FollowedCall) -> None:
        """Note that a call begins; its arguments are bound."""

    def body_entered(self, call: FollowedCall, frame: FrameType) -> None:
        """Note that a body of the call, which became a function, begins."""

    def reached(self, call: FollowedCall, frame: FrameType, line: int) -> None:
        """Note that a line is about to run."""

    def left(self, call: FollowedCall, frame: FrameType, abandoned: bool) -> None:
        """Note that a frame of the call ends; if `abandoned`, it is traced once more."""


class following:
    """Notifies a listener of every line that runs inside, on this thread.

    Args:
        listener: the listener.
        converted_only: whether unconverted code is skipped.
    """

    def __init__(self, listener: LineListener, converted_only: bool = False) -> None:
        self._listener = listener
        self._converted_only = converted_only
        self._calls: dict[FrameType, FollowedCall] = {}
        # By id, since the hash of a code object takes time for all its constants.
        self._followed: dict[int, tuple[CodeType, bool]] = {}
        self._raised: dict[FrameType, type[BaseException]] = {}

    def __enter__(self) -> None:
        self._previous_tracer = sys.gettrace()
        sys.settrace(self._on_call)

    def __exit__(self, *exception: object) -> None:
        sys.settrace(self._previous_tracer)
        self._calls.clear()

    def _on_call(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        known = self._followed.get(id(code))
        if known is None:
            known = self._followed[id(code)] = (code, self._is_followed(code))
        if not known[1]:
            return None
        if not is_body(code):
            call = self._calls[frame] = _call_of(frame)
            self._listener.entered(call)
            return self._on_event
        found = self._call_around(frame)
        if found is None:
            return None
        self._calls[frame] = found
        self._listener.body_entered(found, frame)
        return self._on_event

    def _on_event(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        call = self._calls.get(frame)
        if call is None:
            return None
        if event == "line":
            self._raised.pop(frame, None)
            self._listener.reached(call, frame, frame.f_lineno)
        elif event == "exception":
            self._raised[frame] = arg[0]
        elif event == "return":
            raised = self._raised.pop(frame, None)
            self._listener.left(call, frame, raised is not None and _abandons_trace(raised))
            if not _is_suspended(frame):
                del self._calls[frame]
        return self._on_event

    def _is_followed(self, code: CodeType) -> bool:
        if is_internal_code(code):
            return False
        if code_info_of(code) is not None:
            return True
        return not self._converted_only and not is_library(code.co_filename)

    def _call_around(self, frame: FrameType) -> FollowedCall | None:
        outer = frame.f_back
        while outer is not None:
            if outer in self._calls:
                return self._calls[outer]
            outer = outer.f_back
        return None


def _call_of(frame: FrameType) -> FollowedCall:
    code = frame.f_code
    part = code_info_of(code)
    own = frozenset((*code.co_varnames, *code.co_cellvars))
    names = own if part is None else own & part.names
    return FollowedCall(
        FollowedDefinition(code.co_filename, code.co_firstlineno, code.co_name), frame, names
    )


def is_library(filename: str) -> bool:
    """Return whether a file belongs to Python or to an installed package.

    The methods that `namedtuple` and `dataclass` write have the file `<string>`.

    >>> is_library(dataclass.__code__.co_filename)
    True
    """
    return filename.startswith(("<frozen", "<string>", *_LIBRARIES))


def _abandons_trace(error: type[BaseException]) -> bool:
    """Return whether an exception is internal, and ends a part of a trace that is traced again."""
    ours = error.__module__.partition(".")[0] == "autograph"
    return ours and not issubclass(error, Exception) and error.__name__ != "UnreachableEnd"


def _is_suspended(frame: FrameType) -> bool:
    """Return whether a frame may continue later, such as that of a generator."""
    return bool(frame.f_code.co_flags & 0x2A0)  # generator, coroutine, asynchronous generator
