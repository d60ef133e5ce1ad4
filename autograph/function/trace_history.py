"""The history of a Function: the calls it was traced for, which `explain_retrace` reads.

Only the latest traces are kept, and of objects only their names.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from autograph.function.guards import AnyGuard
from autograph.function.trace_key import Key
from runtime.core.context import Origin

# More traces than this have the same reason each time.
_LATEST = 100


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One trace, and the call that asked for it.

    Attributes:
        number: the number of traces, with this one.
        key: the key of the call, one part per parameter.
        values: one value per parameter, with TensorSpecs where tensors come.
        served: the key of the calls that the trace serves, which may be more general.
        held: the names and keys of the places outside that are part of the trace key.
        read: the guards on the places that it has read, if there are any.
        origin: the user's line that called the Function, where known.
        calls: the number of calls before this one.
        dropped: the number of traces dropped by then, as their objects were gone or there were too
            many.
        is_inner: whether it was made while another function was traced.
        changed: a place that got an object which no call of its graph can make.
        serves_one_call: whether it served only that call, since it made variables.
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
