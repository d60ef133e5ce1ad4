"""`[0] * n` as generated code writes it, where `n` may be known only when the program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.protocol import Backends
from autograph.operators.recording_state import Staging
from autograph.operators.tracebacks import drop_internal_frames
from autograph.operators.variables import ld


def repeating(backends: Backends) -> Callable[[Any], Any]:
    """Return what reads and meets what stands before `*`: a list looks at what follows.

    >>> repeating(Backends(()))([0]) * 2
    [0, 0]
    """
    known, staging = backends.by_type, Staging(backends).staging

    def factor(value: Any) -> Any:
        kind = type(value)
        if kind is list or kind is tuple:
            met = backends.met(value)
            return _Repeated(value, backends) if met is value and staging() else met
        return value if id(kind) in known else backends.met(ld(value))

    return factor


class _Repeated:
    """A list or tuple before `*`."""

    __slots__ = ("_value", "_backends")

    def __init__(self, value: Any, backends: Backends) -> None:
        self._value, self._backends = value, backends

    def __mul__(self, count: Any) -> Any:
        backend = self._backends.of(count)
        try:
            if backend is None:
                return self._value * count
            return backend.repeated(self._value, count)
        except BaseException as error:
            drop_internal_frames(error)
            raise
