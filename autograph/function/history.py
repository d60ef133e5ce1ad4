"""The history of a Function: the calls it was traced for, which `explain_retrace` reads.

Only the latest traces are remembered, and of objects no more than what they were called.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from autograph.function.guards import AnyGuard
from autograph.function.trace_key import Key
from runtime.core.context import Origin

# A program that traces more often has the same reason each time.
_LATEST = 100


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One trace, and the call that asked for it.

    Attributes:
        number: how many traces there were, with this one.
        key: the key of the call, one part per parameter.
        values: one value per parameter, with TensorSpecs where tensors come.
        served: the key of the calls that the trace serves, which may be more general.
        held: names and keys of the places outside of the function that count as well.
        read: guards on the places that it has read, where there are any.
        origin: the user's line that called the Function, where known.
        calls: how many calls there were before this one.
        dropped: how many traces had been dropped by then, as their objects were gone or there were
            too many.
        is_inner: whether it was made while another function was traced.
        changed: a place to which it gave an object that no call of its graph can make anew.
        serves_one_call: whether it served that call alone, as it made variables.
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


class History:
    """The latest traces of one Function."""

    def __init__(self) -> None:
        self._records: deque[TraceRecord] = deque(maxlen=_LATEST)

    def add(self, record: TraceRecord) -> None:
        """Remember one more."""
        self._records.append(record)

    def __iter__(self) -> Iterator[TraceRecord]:
        return iter(tuple(self._records))

    def __len__(self) -> int:
        return len(self._records)
