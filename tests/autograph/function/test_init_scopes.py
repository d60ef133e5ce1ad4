"""Python state under `init_scope` changes once for each trace, as TensorFlow has it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import autograph as ag
import runtime as rt

calls = 0


def called(function: Any, *values: Any) -> list[float]:
    return [float(rt.reduce_sum(function(rt.constant(value)))) for value in values]


def test_an_attribute_changes_once_for_each_trace() -> None:
    m = SimpleNamespace(n=0)

    @ag.function
    def f(x: Any) -> Any:
        with rt.init_scope():
            m.n += 1
        return x * m.n

    # What is read of it after the scope is what it held when the function was traced.
    assert [2.0, 3.0, 4.0] == called(f, 2.0, 3.0, 4.0)
    assert (1, 1) == (m.n, f.experimental_get_tracing_count())
    assert [6.0, 2.0] == called(f, [1.0, 2.0], 2.0)
    assert (2, 2) == (m.n, f.experimental_get_tracing_count())


def test_containers_change_once_for_each_trace() -> None:
    log: list[int] = []
    seen: set[int] = set()
    named: dict[str, int] = {}

    @ag.function
    def f(x: Any) -> Any:
        with rt.init_scope():
            log.append(len(log))
            seen.add(len(seen))
            named["n"] = named.get("n", 0) + 1
        return x

    called(f, 1.0, 2.0, [1.0], 3.0, [4.0])
    assert ([0, 1], {0, 1}, {"n": 2}) == (log, seen, named)
    assert 2 == f.experimental_get_tracing_count()


def test_globals_and_nonlocals_change_once_for_each_trace() -> None:
    global calls
    calls = count = 0

    @ag.function
    def f(x: Any) -> Any:
        global calls
        nonlocal count
        with rt.init_scope():
            calls += 1
            count = count + 10
        return x

    called(f, 1.0, 2.0, 3.0)
    assert (1, 10) == (calls, count)


def test_a_trace_made_once_more_counts_once() -> None:
    m = SimpleNamespace(traces=0, total=0)

    @ag.function
    def f(x: Any) -> Any:
        with rt.init_scope():
            m.traces += 1
        m.total = m.total + 1  # it takes a second try to know that this is state
        return x * m.total

    assert [1.0, 2.0, 3.0] == called(f, 1.0, 1.0, 1.0)
    assert (1, 3) == (m.traces, m.total)


def test_state_that_changes_elsewhere_too_is_as_in_python() -> None:
    m = SimpleNamespace(n=0, log=[])

    def f(x: Any) -> Any:
        m.n += 1
        with rt.init_scope():
            m.log.append(m.n * 10)
        return x * m.n

    assert [1.0, 2.0, 3.0] == called(ag.function(f), 1.0, 1.0, 1.0)
    assert (3, [10, 20, 30]) == (m.n, m.log)


def test_what_is_made_there_is_made_once() -> None:
    m = SimpleNamespace(v=None, made=0)

    @ag.function
    def f(x: Any) -> Any:
        with rt.init_scope():
            if m.v is None:
                m.v, m.made = rt.Variable(1.0), m.made + 1
        m.v.assign_add(x)
        return m.v + float(m.made)

    assert [3.0, 4.0, 5.0] == called(f, 1.0, 1.0, 1.0)
    assert 1 == m.made


def test_eagerly_it_runs_in_each_call() -> None:
    m = SimpleNamespace(n=0)
    for _ in range(3):
        with rt.init_scope():
            m.n += 1
    assert 3 == m.n
