"""The stack of functions that are being traced."""

from __future__ import annotations

from autograph.backends.graph.objects.object_lifetimes import BEFORE
from autograph.backends.graph.values.value_scope import INSPECTING_PATH
from autograph.functions.tracing.active_traces import (
    innermost,
    isolated,
    may_never_end,
    traced_functions,
    tracing,
)
from runtime.graph import Graph


def first() -> None: ...
def second() -> None: ...


def test_enclosing_functions_of_a_trace() -> None:
    assert innermost() is None
    with tracing(first) as outer, tracing(second) as inner:
        assert [first, second] == traced_functions()
        assert innermost() is inner and inner is not outer
    assert [] == traced_functions()


def test_a_function_under_a_staged_condition() -> None:
    graph = Graph("first")
    then = Graph("then", graph)
    with tracing(first), graph.recording():
        assert not may_never_end(first)
        with then.recording():
            assert may_never_end(first)
            assert not may_never_end(second)
            with tracing(second), Graph("second").recording():
                assert may_never_end(first)  # the branch is further out
                assert not may_never_end(second)


def test_nested_traces_are_undone_once() -> None:
    taken = []
    with tracing(first) as this:
        this.undo_callbacks.append(lambda: taken.append(1))
        this.undo_nested_traces()
        this.undo_nested_traces()
    assert [1] == taken


def test_isolation_hides_enclosing_statements() -> None:
    token, turns = INSPECTING_PATH.set(True), BEFORE.set(((frozenset(), Graph("body")),))
    try:
        assert (False, ()) == isolated(lambda: (INSPECTING_PATH.get(), BEFORE.get()))
        assert INSPECTING_PATH.get()
    finally:
        INSPECTING_PATH.reset(token)
        BEFORE.reset(turns)
