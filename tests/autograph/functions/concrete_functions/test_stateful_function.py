"""Stateful Functions: failures, concrete functions, threads, inner functions."""

from __future__ import annotations

import contextlib
import gc
import threading
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import LeakError, ResultError, SignatureError
from autograph.functions.concrete_functions.stateful_function import StatefulConcreteFunction


class Model:
    def __init__(self, total: Any = 0) -> None:
        self.total = total

    @ag.function
    def add(self, x: Any) -> Any:
        self.total = self.total + x
        return self.total


def test_each_instance_has_its_state() -> None:
    first, second = Model(), Model(rt.constant(100))
    for x in (1, 2):
        first.add(rt.constant(x))
        second.add(rt.constant(10 * x))
    assert (3, 130) == (int(first.total), int(second.total))


def test_each_kind_of_state_is_traced_once() -> None:
    model = Model()
    for x in range(5):
        model.add(rt.constant(x))
    # For the number 0, and for a tensor.
    assert 2 == model.add.experimental_get_tracing_count()
    assert 10 == int(model.total)


def test_an_instance_is_not_kept_alive_by_its_state() -> None:
    model = Model()
    model.add(rt.constant(1))
    model.own = {"me": model}  # type: ignore[attr-defined]
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_a_failed_trace_restores_state() -> None:
    model, log = SimpleNamespace(total=rt.constant(4), d={"k": 1}), ["before"]
    before = model.total

    @ag.function
    def fail(x: Any) -> Any:
        model.total = model.total + x
        model.d["k"] = model.d["new"] = x
        log.append(x)
        raise KeyError("on purpose")

    with pytest.raises(KeyError):
        fail(rt.constant(1))
    assert model.total is before
    assert {"k": 1} == model.d
    assert ["before"] == log


def test_a_failed_call_writes_nothing() -> None:
    model = SimpleNamespace(total=rt.constant(4))

    @ag.function
    def checked(x: Any) -> Any:
        model.total = model.total + x
        assert x > 0, "not positive"
        return x

    checked(rt.constant(1))
    with pytest.raises(AssertionError):
        checked(rt.constant(-1))
    assert 5 == int(model.total)
    checked(rt.constant(2))
    assert 7 == int(model.total)


def test_python_effects_happen_once_a_trace() -> None:
    log: list[str] = []
    counts = {"traces": 0}

    @ag.function
    def f(x: Any) -> Any:
        log.append("tracing")
        counts["traces"] += 1
        return x

    for value in (1, 2, 3):
        f(rt.constant(value))
    assert ["tracing"] == log and {"traces": 1} == counts


def test_a_counter_that_is_never_read_counts_traces() -> None:
    traces, box = 0, SimpleNamespace(traces=0)

    @ag.function
    def f(x: Any) -> Any:
        nonlocal traces
        traces += 1
        box.traces += 1
        return x

    for value in (1, 2, 3):
        f(rt.constant(value))
    assert (1, 1) == (traces, box.traces)


def test_functions_without_state_use_the_short_key() -> None:
    f = ag.function(lambda x: x + 1)
    f(rt.constant(1))
    concrete = f.get_concrete_function(rt.constant(1))
    assert not isinstance(concrete, StatefulConcreteFunction)
    assert [concrete] == list(f._traces.by_key.values())


def test_a_concrete_function_checks_its_state() -> None:
    model = Model(rt.constant(1))
    concrete = model.add.get_concrete_function(rt.constant(0))
    assert 1 == int(model.total), "tracing alone writes nothing"
    assert 3 == int(concrete(rt.constant(2))) == int(model.total)
    model.total = None
    with pytest.raises(SignatureError, match="'self.total' held something else"):
        concrete(rt.constant(2))


def test_an_inner_function_writes_state_of_the_outer_call() -> None:
    model = Model(rt.constant(1))

    @ag.function
    def twice(x: Any) -> Any:
        model.add(x)
        return model.add(x)

    assert [5, 11] == [int(twice(rt.constant(x))) for x in (2, 3)]
    assert 11 == int(model.total)
    assert 12 == int(model.add(rt.constant(1)))


def test_eager_calls_continue_from_the_state_of_traced_calls() -> None:
    model = Model()
    model.add(rt.constant(1))
    ag.run_functions_eagerly(True)
    try:
        model.add(rt.constant(2))
    finally:
        ag.run_functions_eagerly(False)
    model.add(rt.constant(3))
    assert 6 == int(model.total)


def test_new_shapes_of_state_retrace_or_relax() -> None:
    kept = SimpleNamespace(all=rt.zeros([0], rt.int32))

    @ag.function(reduce_retracing=True)
    def collect(x: Any) -> Any:
        kept.all = rt.concat([kept.all, rt.reshape(x, [1])], 0)
        return x

    for value in range(6):
        collect(rt.constant(value))
    assert [0, 1, 2, 3, 4, 5] == kept.all.numpy().tolist()
    assert collect.experimental_get_tracing_count() <= 3


def test_a_leaked_closure_is_named() -> None:
    box = SimpleNamespace(act=None)

    @ag.function
    def f(x: Any) -> Any:
        box.act = lambda: x
        return x

    with pytest.raises(LeakError, match="'box.act' is left holding a function") as found:
        f(rt.constant(1))
    assert box.act is None
    assert "box.act = lambda: x\n    ^^^^^^^" in str(found.value)


def test_a_leak_into_an_item_or_a_result_has_its_line() -> None:
    kept: dict[int, Any] = {}

    @ag.function
    def f(x: Any, returns: bool) -> Any:
        if returns:
            return lambda: x
        kept[1 + 1] = (x for _ in range(3))
        return None

    with pytest.raises(LeakError, match="left holding a generator") as leaked:
        f(rt.constant(1), False)
    assert "kept[1 + 1] = (x for _ in range(3))\n    ^^^^^^^^^^^" in str(leaked.value)
    with pytest.raises(ResultError, match="of type function") as returned:
        f(rt.constant(1), True)
    assert "def f(x: Any, returns: bool)" in str(returned.value)


def test_a_tensor_leaked_into_a_module_is_refused_and_rolled_back() -> None:
    box = SimpleNamespace(total=0)

    @ag.function
    def f(x: Any, fails: bool) -> Any:
        box.total = box.total + x
        globals()["left_total"] = x
        if fails:
            raise KeyError("mine")
        return x

    with pytest.raises(
        LeakError, match="test_stateful_function.left_total' is left holding a tensor"
    ):
        f(rt.constant(1), False)
    assert box.total == 0 and "left_total" not in globals()
    with pytest.raises(KeyError, match="mine"):
        f(rt.constant(1), True)
    assert box.total == 0 and "left_total" not in globals()


def test_a_log_is_written_once_although_the_trace_is_repeated() -> None:
    box = SimpleNamespace(total=0)
    names: list[str] = []

    @ag.function
    def f(x: Any) -> Any:
        names.append("traced")
        box.total = box.total + x
        return x

    f(rt.constant(1))
    assert names == ["traced"] and box.total.numpy() == 1


def test_a_call_that_always_raises_keeps_the_state() -> None:
    box = SimpleNamespace(count=0)

    @ag.function
    def f(x: Any) -> Any:
        try:
            box.count = box.count + 12 // x
            raise IndexError("always")
        finally:
            x = x + 1

    for _ in range(2):
        with pytest.raises(IndexError, match="always"):
            f(rt.constant(3))
        assert box.count == 0


def test_an_empty_list_popped_on_one_path_and_appended_on_the_other() -> None:
    keys: list[Any] = []

    @ag.function
    def put(key: Any) -> Any:
        if key in keys:
            place = keys.index(key)
            del keys[place]
        keys.append(key)
        return len(keys)

    assert [int(put(rt.constant(key))) for key in (1, 2, 1, 3)] == [1, 2, 2, 3]
    assert [int(key) for key in keys] == [2, 1, 3]


def test_state_written_by_a_loop_test_is_loop_carried() -> None:
    asked = SimpleNamespace(times=0)

    def call_times(step: Any) -> Any:
        asked.times = asked.times + step
        return asked.times

    @ag.function
    def f(step: Any) -> Any:
        turns = 0
        while call_times(step) < 10:
            turns += 1
        return turns

    assert int(f(rt.constant(2))) == 4 and int(asked.times) == 10


def test_a_counter_beside_a_growing_list_counts_every_call() -> None:
    log = SimpleNamespace(count=0, items=[], sums={"all": 0})

    @ag.function
    def f(x: Any) -> Any:
        log.count += 1
        log.items.append(x)
        log.sums["all"] = log.sums["all"] + x
        return log.count

    assert [int(f(rt.constant(x))) for x in (5, 6, 7)] == [1, 2, 3]
    assert int(log.count) == 3 and int(log.sums["all"]) == 18 and len(log.items) == 3


def test_the_handler_of_a_context_manager_writes_outside_when_it_runs() -> None:
    caught: list[Any] = []

    @contextlib.contextmanager
    def guarded() -> Any:
        try:
            yield
        except ValueError:
            caught.append(1)

    @ag.function
    def f(x: Any) -> Any:
        with guarded():
            if x > 5:
                raise ValueError("big")
        return x

    assert f(rt.constant(1)).numpy() == 1 and caught == []
    f(rt.constant(7))
    assert caught == [1]


def test_threads_see_values_and_no_placeholders() -> None:
    model = Model(rt.constant(0))
    symbolic: list[object] = []

    def work() -> None:
        for _ in range(20):
            model.add(rt.constant(1))
            if isinstance(model.total, rt.SymbolicTensor):
                symbolic.append(model.total)

    model.add(rt.constant(0))  # while it is traced, the places hold placeholders
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == symbolic
    assert 0 < int(model.total) <= 60


def test_functions_with_input_signatures_and_partials_have_state() -> None:
    model = SimpleNamespace(total=rt.constant(1))

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def add(x: Any) -> Any:
        model.total = model.total + x
        return model.total

    assert [3, 6] == [int(add(x)) for x in (2, 3)]
    assert 6 == int(model.total)


def test_new_lists_in_every_call_do_not_retrace() -> None:
    s = SimpleNamespace(items=[], table={})

    @ag.function
    def put(x: Any) -> Any:
        s.items = [x, 1]
        if x > 2:
            s.table = {"k": x}
        else:
            s.table = {"k": -x}
        return x

    for value in range(8):
        put(rt.constant(value))
    assert [int(each) for each in s.items] == [7, 1]
    assert put.experimental_get_tracing_count() <= 3
