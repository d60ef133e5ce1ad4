"""Repetition of lists and tuples: the number in `[0] * n` may be known only at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.protocol import Backends
from autograph.operators.recording_state import RecordingState
from autograph.operators.tracebacks import drop_internal_frames
from autograph.operators.variables import ld


def make_repeat_operand(backends: Backends) -> Callable[[Any], Any]:
    """Return an operator that reads the operand before `*`, which may be a list to repeat.

    >>> make_repeat_operand(Backends(()))([0]) * 2
    [0, 0]
    """
    known, staging = backends.by_type, RecordingState(backends).staging

    def factor(value: Any) -> Any:
        kind = type(value)
        if kind is list or kind is tuple:
            met = backends.operand(value)
            return _Repeated(value, backends) if met is value and staging() else met
        return value if id(kind) in known else backends.operand(ld(value))

    return factor


class _Repeated:
    """A list or tuple before `*`, whose other operand may be a tensor."""

    __slots__ = ("_value", "_backends")

    def __init__(self, value: Any, backends: Backends) -> None:
        self._value, self._backends = value, backends

    def __mul__(self, count: Any) -> Any:
        backend = self._backends.of(count)
        try:
            if backend is None:
                return self._value * count
            return backend.call(f"{type(self._value).__name__}.__mul__", (self._value, count), {})
        except BaseException as error:
            drop_internal_frames(error)
            raise
