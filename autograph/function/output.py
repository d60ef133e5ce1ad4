"""The output of a trace: printed and logged text appears once, however often it is retraced.

    with Output() as output:
        print("traced")     # the first try
        output.at = 0
        print("traced")     # the second: not seen

The streams of the program are wrapped as long as any thread traces. A wrapped stream asks which
output the thread that writes has, and so one does for all of them.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from threading import get_ident, local
from types import FrameType
from typing import Any

from runtime.core.fork_safety import fork_safe_lock, reset_in_child

_STREAMS = ("stdout", "stderr", "__stdout__", "__stderr__")


class Output:
    """The writes of a thread to `sys.stdout`, `sys.stderr` and handlers of logging, counted.

    A trace that is done over goes back to where it began. As many writes as it had got to by then
    have been seen, and are not repeated.

    Attributes:
        at: how many writes there were; a trace that is done over puts it back.

    >>> import contextlib, io
    >>> out = io.StringIO()
    >>> with contextlib.redirect_stdout(out):
    ...     with Output() as output:
    ...         begin = output.at
    ...         print("traced")
    ...         output.at = begin
    ...         print("traced")
    >>> out.getvalue()
    'traced\\n'
    """

    def __init__(self) -> None:
        self.at = 0
        self._most = 0
        # The call of the function that has begun with it.
        self._frame: FrameType | None = None

    def __enter__(self) -> Output:
        if self._frame is None:
            self._frame = sys._getframe(1)
            _HERE.output = self
            _WRAPPING.begin(self)
        return self

    def __exit__(self, *error: object) -> None:
        if self._frame is sys._getframe(1):
            self._frame = _HERE.output = None
            _WRAPPING.end()

    def is_going_on(self) -> bool:
        """Return whether the call that has begun with it still runs: Ctrl-C may end it anywhere."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame is not self._frame:
            frame = frame.f_back
        return frame is not None

    def is_seen(self) -> bool:
        """Count a write, and tell whether it is made."""
        self.at += 1
        is_new = self.at > self._most
        self._most = max(self._most, self.at)
        return is_new


class _Here(local):
    output: Output | None = None


_HERE = _Here()


def current_output() -> Output | None:
    """Return the output of the trace that goes on in this thread; None if there is none."""
    output = _HERE.output
    return output if output is not None and output.is_going_on() else None


class _Stream:
    """A stream of the program, whose writes in a trace are counted; all else is as it has it."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> Any:
        output = _HERE.output
        return self.stream.write(text) if output is None or output.is_seen() else len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Wrapping:
    """The streams of the program, wrapped as long as there are outputs."""

    def __init__(self) -> None:
        self._lock = fork_safe_lock()
        # By the identity of its thread.
        self._outputs: dict[int, Output] = {}
        # CPython's print() holds no reference to sys.stdout while it writes, and another thread's
        # may be at it when its stream is unwrapped.
        self._lately: deque[_Stream] = deque(maxlen=64)

    def begin(self, output: Output) -> None:
        with self._lock:
            self._outputs[get_ident()] = output
            for holder, name in _holders():
                stream = getattr(holder, name, None)
                if stream is not None and type(stream) is not _Stream:
                    setattr(holder, name, _Stream(stream))

    def end(self) -> None:
        with self._lock:
            self._outputs.pop(get_ident(), None)
            for holder, name in () if self._outputs else _holders():
                if type(stream := getattr(holder, name, None)) is _Stream:
                    self._lately.append(stream)
                    setattr(holder, name, stream.stream)

    def begin_anew(self) -> None:
        """Know of the trace of this thread only, in a forked child."""
        me = get_ident()
        self._outputs = {me: self._outputs[me]} if me in self._outputs else {}


_WRAPPING = reset_in_child(_Wrapping(), _Wrapping.begin_anew)


def _holders() -> Iterator[tuple[Any, str]]:
    """Yield the objects that have a stream that programs write to, and the name of it there."""
    yield from ((sys, name) for name in _STREAMS)
    logging = sys.modules.get("logging")
    for reference in list(getattr(logging, "_handlerList", ())):
        if "stream" in getattr(handler := reference(), "__dict__", ()):
            yield handler, "stream"
