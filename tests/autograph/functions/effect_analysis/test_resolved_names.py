"""Objects that names in code refer to, and uses of their items."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import runtime as rt
from autograph.functions.effect_analysis.resolved_names import (
    OF_LIBRARY,
    UNKNOWN,
    may_name,
    uses_in,
)

table: dict[str, Any] = {}
rows: list[Any] = []
at = 0


def values(function: Callable[..., Any], name: str) -> list[Any]:
    return [use.value for use in uses_in([function]) if use.name == name]


def test_equal_names_of_different_objects_are_distinguished() -> None:
    log: list[Any] = []
    holder = SimpleNamespace(log=log)

    def f(self: Any, x: Any) -> Any:
        log.append(x)
        holder.log.append(x)
        self.log.append(x)
        return rt.math.log(x)

    found = values(f, "log")
    assert [True, True, False, False] == [value is log for value in found]
    assert UNKNOWN is found[2] and found[3] in (OF_LIBRARY, rt.math.log)


def test_nested_functions_share_variables_of_the_outer_function() -> None:
    log: list[Any] = []

    def f(x: Any) -> Any:
        own = [x]
        return lambda: (log, own)

    assert [log] == values(f, "log")
    assert [None] == [use.owner for use in uses_in([f]) if use.name == "own"][-1:]


def deep() -> None:
    table["k"][0] += 1


def appended() -> None:
    table["k"][at].append(1)


def computed() -> None:
    rows[len(table) - 1] = 0


def one_of_two() -> None:
    table["a" if at else "b"] += 1


def sliced() -> None:
    rows[1:] = []


def deleted() -> None:
    del rows[at + 1]


def read() -> Any:
    return rows[0]


@pytest.mark.parametrize(
    ("function", "name", "depth", "is_change"),
    [
        (deep, "table", 1, True),
        (appended, "table", 2, True),
        (computed, "rows", 0, True),
        (one_of_two, "table", 0, True),
        (sliced, "rows", 0, True),
        (deleted, "rows", 0, True),
        (read, "rows", 1, False),
    ],
)
def test_uses_of_items_are_reads_or_changes(
    function: Callable[..., Any], name: str, depth: int, is_change: bool
) -> None:
    (use,) = (use for use in uses_in([function]) if use.name == name)
    found, what = use.subscripts()
    changes = ("COPY", "DUP_TOP_TWO", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "append")
    assert (depth, is_change) == (found, what in changes)


def test_strings_may_name_attributes() -> None:
    def by_text(o: Any) -> Any:
        return getattr(o, "n")  # noqa: B009

    def by_any(o: Any) -> Any:
        return vars(o)

    assert [True, False, True] == [
        may_name([by_text], "n"),
        may_name([by_text], "m"),
        may_name([by_any], "m"),
    ]
