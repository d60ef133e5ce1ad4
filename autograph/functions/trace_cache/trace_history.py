"""The record of a Function's latest traces and the calls that caused them, for `explain_retrace`.

It refers to objects only weakly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from autograph.functions.arguments.trace_key import Key
from autograph.functions.state.guards import AnyGuard
from runtime.core.context import Origin

# The number of traces that are recorded.
_LATEST = 100


class TraceRecord(NamedTuple):
    """One trace, and the call that caused it.

    Attributes:
        number: the number of the trace, from 1.
        key: the key of the call, one part per parameter, and one for objects that occur twice.
        values: one value per parameter, with TensorSpecs where tensors come.
        served: the key of the calls that the trace serves, which may be more general.
        held: the name of each state place in the trace key, with the key of its value.
        read: the guards on the state that it has read, if there are any.
        origin: the user's line that called the Function, where known.
        calls: the number of calls before this one.
        dropped: the number of traces dropped by then, because an object in the key was dead, or
            there were too many.
        is_inner: whether the function was called while another one was traced.
        changed: a place that the trace changed and that no call of its graph can change.
        serves_one_call: whether it served only that call.
    """

    number: int
    key: Key
    values: tuple[object, ...]
    served: Key
    held: tuple[tuple[str, Key], ...]
    read: tuple[AnyGuard, ...]
    origin: Origin | None
    calls: int
    dropped: int = 0
    is_inner: bool = False
    changed: str = ""
    serves_one_call: bool = False


class TraceHistory:
    """The latest traces of one Function."""

    def __init__(self) -> None:
        self._records: deque[TraceRecord] = deque(maxlen=_LATEST)

    def add(self, record: TraceRecord) -> None:
        """Add a record."""
        self._records.append(record)

    def __iter__(self) -> Iterator[TraceRecord]:
        return iter(tuple(self._records))

    def __len__(self) -> int:
        return len(self._records)
