"""A run of a graph as the trace events that Perfetto and Chrome show on a line of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.executors.measuring import Event

_MICROSECOND = 1e-6
# One process with one thread; viewers want both to have numbers.
_PLACE = {"pid": 1, "tid": 1}


def trace_events(
    call: str, events: Sequence[Event], seconds: float, left_out: int = 0
) -> dict[str, Any]:
    """Return what viewers read: complete events, in microseconds after the run began.

    Args:
        call: the name of the whole run.
        events: single runs of nodes.
        seconds: how long the whole run took.
        left_out: how many single runs are not among the events.

    >>> trace_events("f()", [], 0.5)["traceEvents"][1]["dur"]
    500000.0
    """
    named = {"name": "process_name", "ph": "M", **_PLACE, "args": {"name": "autograph"}}
    whole = {
        "name": call,
        "cat": "call",
        "ph": "X",
        "ts": 0.0,
        "dur": seconds / _MICROSECOND,
        **_PLACE,
        "args": {"runs left out": left_out} if left_out else {},
    }
    inside = sorted(map(_event, events), key=lambda each: (each["ts"], -each["dur"]))
    return {"traceEvents": [named, whole, *inside], "displayTimeUnit": "ns"}


def _event(event: Event) -> dict[str, Any]:
    node = event.node
    origin = node.origin
    shown = {} if origin is None else {"line": str(origin)}
    if origin is not None and origin.line:
        shown["source"] = origin.line_text()
    return {
        "name": node.name,
        "cat": node.op.name,
        "ph": "X",
        "ts": max(event.began, 0.0) / _MICROSECOND,
        "dur": event.seconds / _MICROSECOND,
        **_PLACE,
        "args": shown,
    }
