"""Results with several forms: grown lists, optional values, shared containers."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.functions.results.materialize import DynamicList, with_dynamic_lists


def grown(n):
    items = []
    for i in range(n):
        items.append((i, [i] * 2))
    return items


def perhaps(n):
    value = None
    if n > 1:
        value = {"a": n, "b": [n, None]}
    return value


def shared(n):
    row, rows = [0], []
    for i in range(n):
        row.append(i)
        rows.append(row)
    return rows, row


def unbound(n):
    if n > 1:
        value = n
    return value


def plain(value):
    return rt.nest.map_structure(lambda v: int(v) if isinstance(v, rt.Tensor) else v, value)


@pytest.mark.parametrize("function", [grown, perhaps, shared])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_call_agrees_with_python(function, n):
    assert function(n) == plain(ag.function(function)(rt.constant(n)))


def test_each_call_creates_new_objects():
    staged = ag.function(shared)
    first, _ = staged(rt.constant(2))
    second, _ = staged(rt.constant(2))
    assert first[0] is first[1]
    assert first[0] is not second[0]


def test_a_variable_that_is_unbound_on_the_path_taken():
    staged = ag.function(unbound)
    assert 2 == int(staged(rt.constant(2)))
    with pytest.raises(UnboundLocalError, match="value"):
        staged(rt.constant(0))


def test_a_result_without_dynamic_lists_is_unchanged():
    result = {"a": [1, (2, None)]}
    assert with_dynamic_lists(result) is result
    assert not isinstance(with_dynamic_lists([1]), DynamicList)


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_a_container_stored_and_returned_is_one_object(x: float) -> None:
    left: list[Any] = []
    last: dict[str, Any] = {}

    @ag.function
    def push(x: Any) -> Any:
        item = {"x": x, "row": [x]}
        left.append(item)
        if x > 0:
            last["item"] = item
        return (item, item["row"]), item if x < 0 else None

    (item, row), again = push(rt.constant(x))
    assert item is left[0] and row is left[0]["row"] and row is item["row"]
    assert (last.get("item") is item) == (x > 0) and (again is item) == (x < 0)
