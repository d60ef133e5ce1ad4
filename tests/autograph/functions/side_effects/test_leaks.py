"""Leaks: places where a trace stores a symbolic tensor that no call can replace."""

from __future__ import annotations

import argparse
import logging
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError

OPTIONS = argparse.Namespace(kept=1)
LOGGER = logging.getLogger(__name__)
SECRET: Any = "before"


class Box:
    held: Any = None


def in_a_variable_nobody_names(box: Box, x: Any) -> Any:
    globals()["".join(("SEC", "RET"))] = x
    return x


def in_a_new_variable(box: Box, x: Any) -> Any:
    globals()["made_by_a_test"] = x
    return x


def in_an_object_of_a_library(box: Box, x: Any) -> Any:
    OPTIONS.kept = x
    LOGGER.last = x  # type: ignore[attr-defined]
    return x


def in_an_exception(box: Box, x: Any) -> Any:
    box.held = ValueError(x)
    return x


def in_an_iterator(box: Box, x: Any) -> Any:
    box.held = iter([x])
    return x


def in_a_generator(box: Box, x: Any) -> Any:
    box.held = (x for _ in range(1))
    return x


LEAKS = [
    in_a_variable_nobody_names,
    in_a_new_variable,
    in_an_object_of_a_library,
    in_an_exception,
    in_an_iterator,
    in_a_generator,
]


@pytest.mark.parametrize("f", LEAKS)
def test_a_leak_is_refused_and_the_place_is_restored(f: Any) -> None:
    box = Box()
    with pytest.raises(ag.errors.StagingError, match="is left holding"):
        ag.function(f)(box, rt.constant(3))
    assert box.held is None and SECRET == "before"
    assert "made_by_a_test" not in globals()
    assert OPTIONS.kept == 1 and not hasattr(LOGGER, "last")


def test_a_global_tensor_of_a_manual_graph_is_no_leak() -> None:
    with rt.Graph("made by hand").as_default():
        OPTIONS.kept = globals()["SECRET"] = rt.session.placeholder(rt.float32, [2])
    try:
        assert 6 == int(ag.function(lambda x: x * 2)(rt.constant(3)))
        assert SECRET is OPTIONS.kept
        with pytest.raises(ag.errors.StagingError, match="is left holding"):
            ag.function(in_a_variable_nobody_names)(Box(), rt.constant(3))
        assert SECRET is OPTIONS.kept
    finally:
        OPTIONS.kept, globals()["SECRET"] = 1, "before"


def test_a_python_value_assigned_to_a_library_object_is_kept() -> None:
    def f(x: Any) -> Any:
        OPTIONS.count = 2
        return x

    ag.function(f)(rt.constant(3))
    assert OPTIONS.count == 2


def test_an_attribute_of_a_library_object_that_is_read_is_state() -> None:
    @ag.function
    def f(x: Any) -> Any:
        LOGGER.calls = getattr(LOGGER, "calls", 0) + 1  # type: ignore[attr-defined]
        return x * LOGGER.calls  # type: ignore[attr-defined]

    try:
        assert [3, 6, 9] == [int(f(rt.constant(3))) for _ in range(3)]
    finally:
        del LOGGER.calls  # type: ignore[attr-defined]


def test_an_attribute_of_a_library_object_that_is_only_written_counts_traces() -> None:
    LOGGER.traces = 0  # type: ignore[attr-defined]

    @ag.function
    def f(x: Any) -> Any:
        LOGGER.traces += 1  # type: ignore[attr-defined]
        return x

    try:
        assert [3, 3] == [int(f(rt.constant(3))) for _ in range(2)]
        assert 1 == LOGGER.traces  # type: ignore[attr-defined]
    finally:
        del LOGGER.traces  # type: ignore[attr-defined]


def test_a_namespace_of_options_holds_state_as_an_object_of_the_users() -> None:
    options = argparse.Namespace(step=0, seen=[], total=0.0)

    @ag.function
    def f(x: Any) -> Any:
        options.step += 1
        options.seen.append(x)
        if x > 1.0:
            options.total = options.total + x
        return x * options.step + options.total

    assert [1.0, 6.0, 14.0] == [float(f(rt.constant(x))) for x in (1.0, 2.0, 3.0)]
    assert 3 == options.step and 5.0 == float(options.total)
    assert [1.0, 2.0, 3.0] == [float(x) for x in options.seen]
    assert 3 == f.experimental_get_tracing_count()  # total becomes a tensor, seen gets an item


def test_an_aliased_item_keeps_its_identity_in_a_staged_list() -> None:
    first: list[Any] = []
    rows = [first]

    @ag.function
    def f(x: Any) -> Any:
        rows[0].append(x)
        if x > 0:
            rows.append([x])
        return len(first)

    assert [int(f(rt.constant(x))) for x in (1, -2, 3)] == [1, 2, 3]
    assert rows[0] is first and len(rows) == 3
    assert [[int(x) for x in row] for row in rows] == [[1, -2, 3], [1], [3]]


def test_unaliased_items_are_created_by_the_run() -> None:
    rows: list[Any] = [[]]

    @ag.function
    def f(x: Any) -> Any:
        rows[0].append(x)
        if x > 0:
            rows.append([x])
        return len(rows)

    assert [int(f(rt.constant(x))) for x in (1, -2, 3)] == [2, 2, 3]
    assert [[int(item) for item in row] for row in rows] == [[1, -2, 3], [1], [3]]


def test_a_new_global_is_refused_and_removed() -> None:
    def assign(n: Any) -> Any:
        global _NOT_THERE_YET
        if n > 0:
            _NOT_THERE_YET = n
        return n

    with pytest.raises(StagingError, match="to a variable that the module has before"):
        ag.function(assign)(rt.constant(3))
    assert "_NOT_THERE_YET" not in globals()
