"""What a trace says while it goes on, said once, however often the trace is done over."""

from __future__ import annotations

import sys
from contextvars import ContextVar, Token
from threading import get_ident
from typing import Any

_STREAMS = ("stdout", "stderr")


class Voice:
    """The writes of a thread to `sys.stdout` and `sys.stderr`, counted.

    A trace that is done over goes back to where it began. As many writes as it had got to by then
    have been seen, and are not repeated.

    >>> import contextlib, io
    >>> out = io.StringIO()
    >>> with contextlib.redirect_stdout(out):
    ...     with Voice() as voice:
    ...         begin = voice.at
    ...         print("traced")
    ...         voice.at = begin
    ...         print("traced")
    >>> out.getvalue()
    'traced\\n'
    """

    def __init__(self) -> None:
        self.at = 0
        self._most = 0
        self._thread = get_ident()
        self._put: list[tuple[str, _Stream]] = []
        self._tokens: list[Token[Voice | None]] = []

    def __enter__(self) -> Voice:
        self._tokens.append(_VOICE.set(self))
        for name in _STREAMS if len(self._tokens) == 1 else ():
            if (stream := getattr(sys, name)) is not None:
                self._put.append((name, _Stream(stream, self)))
                setattr(sys, *self._put[-1])
        return self

    def __exit__(self, *error: object) -> None:
        _VOICE.reset(self._tokens.pop())
        if self._tokens:
            return
        for name, put in self._put:
            put.voice = None  # whoever has kept it writes as it is from now on
            if getattr(sys, name) is put:
                setattr(sys, name, put.stream)
        self._put.clear()

    def is_heard(self) -> bool:
        """Count a write, and tell whether it is made."""
        if get_ident() != self._thread:
            return True
        self.at += 1
        is_new = self.at > self._most
        self._most = max(self._most, self.at)
        return is_new


class _Stream:
    """A stream whose writes a voice counts; all else is as the stream has it."""

    def __init__(self, stream: Any, voice: Voice) -> None:
        self.stream = stream
        self.voice: Voice | None = voice

    def write(self, text: str) -> Any:
        is_heard = self.voice is None or self.voice.is_heard()
        return self.stream.write(text) if is_heard else len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


_VOICE: ContextVar[Voice | None] = ContextVar("voice", default=None)

current_voice = _VOICE.get
"""Return the voice of the trace that is going on; None if there is none."""
