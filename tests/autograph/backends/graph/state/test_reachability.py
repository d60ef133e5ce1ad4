"""Reachable objects of code: through variables, globals, functions and classes."""

from __future__ import annotations

import logging
from collections import deque
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from autograph.backends.graph.state.change_detection import changed
from autograph.backends.graph.state.object_paths import entry_name
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.operators.call_listeners import notify_call

TABLE = {"k": [0]}
LOGGER = logging.getLogger("tests.reach")


class Counter:
    made = 0

    def __init__(self) -> None:
        self.n = 0

    @property
    def twice(self) -> int:
        return TABLE["k"][0]


def uses_table() -> Any:
    return TABLE["k"]


def with_default(x: Any, seen: list[Any] = []) -> Any:  # noqa: B006
    return seen


def names(reach: Reach) -> set[str]:
    return {each.name for each in reach}


def reach_of(value: Any) -> Reach:
    reach = Reach([])
    reach.add("v", value, DEEPEST)
    return reach


def test_objects_and_containers_inside_each_other():
    value = SimpleNamespace(a=[{"b": deque([Counter()])}], c=(1, [2]))
    found = names(reach_of(value))
    assert {"v", "v.a", "v.a[0]", "v.a[0]['b']", "v.a[0]['b'][0]", "v.c[1]", "Counter"} <= found


def test_a_self_referencing_list_is_reached_once():
    value: list[Any] = [1]
    value.append(value)
    assert 1 == len([each for each in reach_of(value) if each.value is value])


def test_defaults_attributes_and_closures_of_functions_are_reached():
    kept = [1]

    def f(x: Any = kept) -> Any:
        return seen

    seen = {"a": 1}
    f.calls = [0]  # type: ignore[attr-defined]
    assert {"f", "f.seen", "f.calls", "f.__defaults__"} <= names(reach_of(f))
    assert "with_default.__defaults__" in names(reach_of(partial(with_default, 1)))
    assert "f.seen" in names(reach_of(SimpleNamespace(g=f)))


def test_globals_a_function_mentions_are_found_when_it_is_called():
    reach = Reach([])
    assert set() == names(reach)
    reach.add_mentioned(uses_table, DEEPEST)
    assert {
        "test_reachability",
        "test_reachability.TABLE",
        "test_reachability.TABLE['k']",
    } == names(reach)


def test_properties_of_reached_objects_count_as_called():
    reach = reach_of(Counter())
    assert {"v", "Counter"} <= names(reach)


def test_library_objects_are_reached_only_through_variables():
    outside = Reach([])
    outside.add("log", LOGGER, DEEPEST, outside=True)
    assert set() == names(outside)
    assert "v" in names(reach_of(LOGGER))


@pytest.mark.parametrize(
    "change, name",
    [
        (lambda c: setattr(c, "n", 1), "v.n"),
        (lambda c: setattr(Counter, "made", 5), "Counter.made"),
    ],
)
def test_changes_are_named(change, name):
    counter, before = Counter(), Counter.made
    reach = reach_of(counter)
    change(counter)
    ((each, now),) = changed(reach)
    (key,) = [k for k, v in now.items() if each.contents.get(k) is not v]
    assert name == entry_name(each, key)
    Counter.made = before


def test_calls_outside_of_a_trace_are_not_recorded():
    reach = Reach([])
    notify_call(uses_table)
    assert [] == reach
