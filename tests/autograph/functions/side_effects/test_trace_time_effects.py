"""Trace-time effects, and code that reads them."""

from __future__ import annotations

from typing import Any

from autograph.backends.graph.state import change_detection as watch
from autograph.functions.side_effects.trace_time_effects import (
    are_trace_time_effects,
    names_of_changes,
)

LOG: list[Any] = []


def logging(x: Any) -> Any:
    LOG.append(x)
    return x


def looking(x: Any) -> Any:
    return through(x)


def through(x: Any) -> Any:
    return len(LOG) + x


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def count(self) -> None:
        self.calls += 1

    def told(self) -> int:
        return self.calls


def test_callees_are_examined() -> None:
    assert are_trace_time_effects(["LOG"], [logging])
    assert not are_trace_time_effects(["LOG"], [logging, looking])


def test_methods_are_examined() -> None:
    assert not are_trace_time_effects(["calls"], [Counter().count])  # `told` names it, too

    class Silent:
        def count(self) -> None:
            self.calls = 0
            self.calls += 1

    assert not are_trace_time_effects(["calls"], [Silent().count])


def test_an_unresolved_name() -> None:
    assert not are_trace_time_effects(["l[0]"], [logging])


def test_names_of_changed_state() -> None:
    thing, log = Counter(), [1]
    table = {"k": 1}
    watched = watch.watch(roots=[("thing", thing), ("mine.log", log), ("table", table)])
    thing.calls = 2
    log.append(2)
    table["k"] = 2
    assert {"calls", "log", "table"} == names_of_changes(watch.changed(watched))
