"""Python state under `init_scope` changes once for each trace, as in TensorFlow."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.functions.effect_analysis.init_scopes import outside_of_init_scopes
from autograph.functions.effect_analysis.resolved_names import uses_in

calls = 0
begun: Any = None


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


def test_a_repeated_trace_runs_the_scope_once() -> None:
    m = SimpleNamespace(traces=0, total=0)

    @ag.function
    def f(x: Any) -> Any:
        with rt.init_scope():
            m.traces += 1
        m.total = m.total + 1  # it takes a second try to know that this is state
        return x * m.total

    assert [1.0, 2.0, 3.0] == called(f, 1.0, 1.0, 1.0)
    assert (1, 3) == (m.traces, m.total)


def test_state_changed_elsewhere_agrees_with_python() -> None:
    m = SimpleNamespace(n=0, log=[])

    def f(x: Any) -> Any:
        m.n += 1
        with rt.init_scope():
            m.log.append(m.n * 10)
        return x * m.n

    assert [1.0, 2.0, 3.0] == called(ag.function(f), 1.0, 1.0, 1.0)
    assert (3, [10, 20, 30]) == (m.n, m.log)


def test_variables_created_in_a_scope_are_created_once() -> None:
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


# -- what calls change that a scope has set once ---------------------------------------------------


def _attribute() -> Callable[..., Any]:
    m = SimpleNamespace(n=None)

    def f(x: Any, flag: bool) -> Any:
        with rt.init_scope():
            if m.n is None:
                m.n = 10
        if flag:
            m.n += 1
        return x + m.n

    return f


def _item_of_dict() -> Callable[..., Any]:
    counts: dict[str, int] = {}

    def f(x: Any, flag: bool) -> Any:
        with rt.init_scope():
            if "n" not in counts:
                counts["n"] = 10
        if flag:
            counts["n"] += 1
        return x + counts["n"]

    return f


def _item_of_list() -> Callable[..., Any]:
    counts: list[Any] = [None]

    def f(x: Any, flag: bool) -> Any:
        with rt.init_scope():
            if counts[0] is None:
                counts[0] = 10
        if flag:
            counts[0] += 1
        return x + counts[0]

    return f


def _list_that_grows() -> Callable[..., Any]:
    items: list[int] = []

    def f(x: Any, flag: bool) -> Any:
        with rt.init_scope():
            if not items:
                items.append(10)
        if flag:
            items.append(1)
        return x + sum(items)

    return f


def _global() -> Callable[..., Any]:
    global begun
    begun = None

    def f(x: Any, flag: bool) -> Any:
        global begun
        with rt.init_scope():
            if begun is None:
                begun = 10
        if flag:
            begun += 1
        return x + begun

    return f


def _nonlocal() -> Callable[..., Any]:
    n: Any = None

    def f(x: Any, flag: bool) -> Any:
        nonlocal n
        with rt.init_scope():
            try:
                n = 10 if n is None else n + 0
            finally:
                n = n + 0
        if flag:
            n += 1
        return x + n

    return f


def _by_functions() -> Callable[..., Any]:
    m = SimpleNamespace(n=0)

    def begin() -> None:
        m.n = 10

    def count() -> None:
        m.n += 1

    def f(x: Any, flag: bool) -> Any:
        with rt.init_scope():
            if m.n == 0:
                begin()
        if flag:
            count()
        return x + m.n

    return f


def _by_one_function() -> Callable[..., Any]:
    m = SimpleNamespace(n=0)

    def add(value: int) -> None:
        m.n += value

    def f(x: Any, flag: bool) -> Any:
        with rt.init_scope():
            if m.n == 0:
                add(10)
        if flag:
            add(1)
        return x + m.n

    return f


def _tensor() -> Callable[..., Any]:
    m = SimpleNamespace(total=None)

    def f(x: Any, flag: bool) -> Any:
        with rt.init_scope():
            if m.total is None:
                m.total = rt.constant(10)
        if flag:
            m.total = m.total + 1
        return x + m.total

    return f


STATES = [_attribute, _item_of_dict, _item_of_list, _list_that_grows, _global, _nonlocal]
STATES += [_by_functions, _by_one_function, _tensor]
ORDERS = ["0110100", "1101", "000111000"]


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("make", STATES)
def test_a_reading_trace_sees_changes_of_other_calls(
    make: Callable[[], Callable[..., Any]], order: str
) -> None:
    flags = [flag == "1" for flag in order]
    plain = make()
    expected = [int(plain(rt.constant(0), flag)) for flag in flags]
    staged = ag.function(make())
    assert expected == [int(staged(rt.constant(0), flag)) for flag in flags]


def test_a_try_in_a_scope_is_a_part_of_it() -> None:
    m = SimpleNamespace(traces=0)

    @ag.function
    def f(x: Any) -> Any:
        with rt.init_scope():
            try:
                m.traces += 1
            finally:
                m.traces += 10
        return x * m.traces

    assert [11.0, 22.0, 11.0, 22.0] == called(f, 1.0, [1.0], 1.0, [1.0])
    assert (22, 2) == (m.traces, f.experimental_get_tracing_count())


def _blocks_in_scopes(o: Any, c: Any) -> Any:
    o.before = 1
    with rt.init_scope():
        o.inside = 1
        try:
            if c:
                return o.inside
            o.inside = 2
        except KeyError:
            o.inside = 3
        finally:
            o.inside = 4
        for i in c:
            with rt.init_scope():
                o.inside = i
            if i:
                break
            o.inside = 5
        else:
            o.inside = 6
        while c:
            o.inside = 7
        with c:
            o.inside = 8
        o.inside = 9
    o.between = 1
    try:
        with c, rt.init_scope():
            o.inside = 10
        o.behind = 1
    except KeyError:
        o.handled = 1
    return o


def test_the_body_of_a_scope_is_found_in_code() -> None:
    outside = outside_of_init_scopes(uses_in([_blocks_in_scopes]))
    stored = [use.name for use in outside if use.stores]
    assert ["before", "between", "behind", "handled"] == stored
