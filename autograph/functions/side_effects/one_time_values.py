"""Warns of random numbers and times of Python's, which a trace has once for all of its calls.

return x * random.random()     each call of the trace has the same number
start = time.time()            the time of the trace
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from threading import get_ident
from types import BuiltinFunctionType, MethodType
from typing import Any, NamedTuple

from autograph.backends.graph.objects.opaque_state import opaque
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.errors import TraceEffectWarning
from autograph.operators.call_listeners import listen
from runtime.core.context import Origin, caller_origin, current_recorder
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import warn_at

called_function = lazy_import("runtime.diagnostics.operand_names:called_function")

_CLOCKS = frozenset("monotonic perf_counter process_time thread_time time".split())
_DATES = frozenset("now today utcnow".split())
_KEEPING = frozenset("bit_generator getstate get_state seed setstate set_state".split())
_DRAW = "draw with rt.random, or pass the number as an argument"
_ASK = "write rt.timestamp(), or ask for the time outside of the function"


class _OneTimeValue(NamedTuple):
    owner: object
    text: str
    origin: Origin
    instead: str


class OneTimeValues:
    """Listens to the calls of a trace in progress for those that give a value of this moment.

    Attributes:
        thread: the thread whose code is watched.
        recorder: the recorder of the trace.
    """

    def __init__(self) -> None:
        self.thread, self.recorder = get_ident(), current_recorder()
        self._found: list[_OneTimeValue] = []
        listen(self)

    def note(self, callee: Any) -> None:
        """Record a call of a function that gives random numbers or the time."""
        if type(callee) not in (MethodType, BuiltinFunctionType):
            return
        instead = _instead_of(callee.__self__, callee.__name__)
        origin = caller_origin() if instead else None
        if origin is not None and not is_library_file(origin.filename):
            text = f"{called_function(callee.__name__) or callee.__name__}()"
            self._found.append(_OneTimeValue(callee.__self__, text, origin, instead))

    def warn(self, is_from_outside: Callable[[object], bool]) -> None:
        """Warn of each line that has used such a value; not of generators that the trace has made.

        Args:
            is_from_outside: tells whether a random generator is from before the trace.
        """
        lines = {
            each.origin: each
            for each in self._found
            if each.instead is _ASK or is_from_outside(each.owner)
        }
        for origin, each in lines.items():
            message = (
                f"{each.text} was computed while tracing, and all calls of this trace have the "
                f"same value: {each.instead}"
            )
            warn_at(origin, message, TraceEffectWarning)


def _instead_of(owner: object, name: str) -> str:
    """Return the code to write instead of a call of a method; "" if the trace may have it."""
    if owner is time:
        return _ASK if name.removesuffix("_ns") in _CLOCKS else ""
    if isinstance(owner, type):
        return _ASK if name in _DATES and issubclass(owner, datetime.date) else ""
    # Subclasses of the user's are left out.
    if name in _KEEPING or type(owner).__module__.partition(".")[0] not in ("random", "numpy"):
        return ""
    found = opaque(owner)
    return "" if found is None or found.kind.word != "random generator" else _DRAW
