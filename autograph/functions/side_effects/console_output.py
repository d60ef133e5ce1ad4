"""Text that a traced function prints or logs: it appears once, however often a trace is repeated.

    with ConsoleOutput() as output:
        print("traced")     # the first trace
        output.position = 0
        print("traced")     # the repeated trace: suppressed

The program's streams are wrapped as long as any thread traces. One wrapped stream serves all
threads: it finds the `ConsoleOutput` of the thread that writes.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from threading import get_ident, local
from types import FrameType
from typing import Any

from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.operators.call_listeners import notify_output
from runtime.core.fork_safety import fork_safe_lock, reset_in_child

# The modules that write for themselves: warnings, progress, and `ag.set_verbosity`.
_NOT_OF_USERS = ("warnings", "autograph.conversion.verbosity")
_STREAMS = ("stdout", "stderr", "__stdout__", "__stderr__")


class ConsoleOutput:
    """Counts the writes of a thread to `sys.stdout`, `sys.stderr` and handlers of logging.

    A repeated trace resets the position. Writes at positions that an earlier trace has reached are
    suppressed.

    Attributes:
        position: the number of writes since the trace began.

    >>> import contextlib, io
    >>> out = io.StringIO()
    >>> with contextlib.redirect_stdout(out):
    ...     with ConsoleOutput() as output:
    ...         begin = output.position
    ...         print("traced")
    ...         output.position = begin
    ...         print("traced")
    >>> out.getvalue()
    'traced\\n'
    """

    def __init__(self) -> None:
        self.position = 0
        self._furthest = 0
        # The frame of the `with` statement.
        self._frame: FrameType | None = None

    def __enter__(self) -> ConsoleOutput:
        if self._frame is None:
            self._frame = sys._getframe(1)
            _HERE.output = self
            _WRAPPING.begin(self)
        return self

    def __exit__(self, *error: object) -> None:
        if self._frame is sys._getframe(1):
            self._frame = _HERE.output = None
            _WRAPPING.end()

    def is_active(self) -> bool:
        """Return whether the `with` statement still runs: Ctrl-C may skip its `__exit__`."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame is not self._frame:
            frame = frame.f_back
        return frame is not None

    def count_write(self) -> bool:
        """Count a write; return whether its text appears."""
        self.position += 1
        is_new = self.position > self._furthest
        self._furthest = max(self._furthest, self.position)
        return is_new


class _Here(local):
    output: ConsoleOutput | None = None


_HERE = _Here()


def current_console_output() -> ConsoleOutput | None:
    """Return the counter of this thread's trace; None if there is none."""
    output = _HERE.output
    return output if output is not None and output.is_active() else None


class _Stream:
    """A wrapper of a stream that counts the writes of traces."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> Any:
        output = _HERE.output
        if output is None:
            return self.stream.write(text)
        if _is_by_user(sys._getframe(1)):
            notify_output("write")
        return self.stream.write(text) if output.count_write() else len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _is_by_user(frame: FrameType | None) -> bool:
    """Return whether the user's code writes, maybe by a library such as `logging`."""
    while frame is not None and is_library_file(frame.f_code.co_filename):
        name = str(frame.f_globals.get("__name__"))
        if name in _NOT_OF_USERS or name.startswith("runtime."):
            return False
        frame = frame.f_back
    return frame is not None


class _Wrapping:
    """Wraps the program's streams while any thread traces."""

    def __init__(self) -> None:
        self._lock = fork_safe_lock()
        # By the identity of its thread.
        self._outputs: dict[int, ConsoleOutput] = {}
        # Unwrapped streams are kept alive: CPython's print() holds no reference to sys.stdout while
        # it writes, and another thread may be writing.
        self._lately: deque[_Stream] = deque(maxlen=64)

    def begin(self, output: ConsoleOutput) -> None:
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
        """Keep only the trace of this thread, in a forked child."""
        me = get_ident()
        self._outputs = {me: self._outputs[me]} if me in self._outputs else {}


_WRAPPING = reset_in_child(_Wrapping(), _Wrapping.begin_anew)


def _holders() -> Iterator[tuple[Any, str]]:
    """Yield each attribute that holds a stream of the program: its object and its name."""
    yield from ((sys, name) for name in _STREAMS)
    logging = sys.modules.get("logging")
    for reference in list(getattr(logging, "_handlerList", ())):
        if "stream" in getattr(handler := reference(), "__dict__", ()):
            yield handler, "stream"
