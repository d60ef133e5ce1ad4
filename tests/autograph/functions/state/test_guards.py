"""Guards on state that a trace has read."""

from __future__ import annotations

import gc
import os
import queue
import threading
import warnings
import weakref

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ConversionError, StaleValueWarning

X = rt.constant(1)
rate = 2
table = [1, 2]
array = np.array([1, 2], np.int32)
tensor = rt.constant(5)
calls = 0


def helper(x):
    return x + rate


class Model:
    scale = 3

    def __init__(self):
        self.bias, self.unused = 1, 1
        self.named = {"a": 1, "nested": [1]}


def make(guards):
    """Return a Function that reads all kinds of places, its model, its list and a cell's setter."""
    model, free, cell = Model(), [10], 1

    @ag.function(guards=guards)
    def f(x):
        global calls
        calls += 1
        total = helper(x) * model.scale + model.bias + free[0] + cell + len(table)
        return total + model.named["a"] + model.named["nested"][0] + array[0] * tensor

    def set_cell(value):
        nonlocal cell
        cell = value

    return f, model, free, set_cell


@pytest.fixture(autouse=True)
def values():
    """Give all places their initial values."""
    globals().update(rate=2, tensor=rt.constant(5), helper=helper, calls=0)
    before = helper
    table[:] = [1, 2]
    array[:] = [1, 2]
    Model.scale = 3
    yield
    globals().update(helper=before)


def changes():
    """Return functions that change one place each, by the name that the user has for it."""
    return {
        "rate": lambda m, free, put: globals().update(rate=7),
        "m.bias": lambda m, free, put: setattr(m, "bias", 9),
        "m.scale": lambda m, free, put: setattr(m, "scale", 4),
        "free": lambda m, free, put: free.__setitem__(0, 20),
        "cell": lambda m, free, put: put(5),
        "table": lambda m, free, put: table.append(3),
        "m.named": lambda m, free, put: m.named.update(a=8),
        "nested": lambda m, free, put: m.named["nested"].__setitem__(0, 6),
        "array": lambda m, free, put: array.__setitem__(0, 3),
        "tensor": lambda m, free, put: globals().update(tensor=rt.constant(6)),
        "helper": lambda m, free, put: globals().update(helper=lambda x: x - 1),
    }


def called(f):
    """Return the value of a call, and the texts of the warnings it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = int(f(X))
    return result, [str(w.message) for w in caught if w.category is StaleValueWarning]


@pytest.mark.parametrize("name", changes())
def test_a_change_is_seen_by_the_next_call(name):
    f, *rest = make("retrace")
    before = called(f)[0]
    changes()[name](*rest)
    wanted = int(f.python_function(X))
    assert wanted != before
    assert called(f) == (wanted, []) == called(f)
    assert f.experimental_get_tracing_count() == 2


@pytest.mark.parametrize("name", changes())
def test_a_change_warns_once(name):
    f, *rest = make("warn")
    before = called(f)
    assert before[1] == []
    changes()[name](*rest)
    result, told = called(f)
    assert result == before[0] and called(f) == (result, [])
    (message,) = told
    assert name.removeprefix("m.") in message and "guards='retrace'" in message
    assert f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("name", changes())
def test_without_guards_a_trace_keeps_the_values_it_read(name):
    f, *rest = make("off")
    before = called(f)
    changes()[name](*rest)
    assert called(f) == before


def test_a_former_value_reuses_its_trace():
    f, model, *_ = make("retrace")
    results = []
    for model.bias in (1, 2, 1, 2, 3, 1):
        results.append(called(f)[0])
    assert results == [results[0] + n for n in (0, 1, 0, 1, 2, 0)]
    assert f.experimental_get_tracing_count() == 3


@pytest.mark.parametrize("guards", ["warn", "retrace"])
def test_state_that_is_not_read_is_not_guarded(guards):
    f, model, *_ = make(guards)
    first = called(f)
    model.unused, model.new = 5, 6
    assert called(f) == first
    assert f.experimental_get_tracing_count() == 1
    assert calls == 1


bias = 1


@pytest.mark.parametrize("guards", ["warn", "retrace"])
def test_a_global_named_like_an_attribute_is_not_guarded(guards):
    global bias
    f, model, *_ = make(guards)
    first = called(f)
    bias += 1
    assert called(f) == first
    assert f.experimental_get_tracing_count() == 1
    names = {guard.name for trace in f.traces.traces() for guard in trace.guards}
    assert "model.bias" in names and "bias" not in names


@pytest.mark.parametrize(("old", "new"), [(1, True), (1, 1.0), (0.0, -0.0)])
def test_guards_compare_types(old, new):
    holder = Model()
    holder.bias = old
    f = ag.function(lambda: rt.convert_to_tensor(holder.bias), guards="retrace")
    f()
    holder.bias = new
    assert f().dtype == rt.convert_to_tensor(new).dtype
    assert np.array_equal(np.signbit(f().numpy().astype(float)), np.signbit(float(new)))


def test_each_trace_has_its_guards():
    f, model, *_ = make("retrace")
    called(f)
    f(rt.constant([1, 2]))
    model.bias = 3
    assert int(f(X)) == int(f.python_function(X))
    assert (
        f(rt.constant([1, 2])).numpy().tolist()
        == f.python_function(rt.constant([1, 2])).numpy().tolist()
    )
    assert f.experimental_get_tracing_count() == 4


def test_methods_and_signatures():
    class Layer:
        factor = 2

        def __init__(self):
            self.shift = 1

        @ag.function(input_signature=[rt.TensorSpec((), rt.int32)], guards="retrace")
        def call(self, x):
            return x * self.factor + self.shift

    layer = Layer()
    assert int(layer.call(3)) == 7
    layer.shift = 2
    assert int(layer.call(3)) == 8
    Layer.factor = 3
    assert int(layer.call(3)) == 11
    assert layer.call.experimental_get_tracing_count() == 3


def test_state_that_the_function_writes_is_no_reason_to_trace_again():
    class Counter:
        def __init__(self):
            self.total, self.step = rt.constant(0), 1

        @ag.function(guards="retrace")
        def add(self, x):
            self.total = self.total + x * self.step
            return self.total

    counter = Counter()
    assert [int(counter.add(rt.constant(n))) for n in (1, 2, 3)] == [1, 3, 6]
    count = counter.add.experimental_get_tracing_count()
    counter.step = 10
    assert [int(counter.add(rt.constant(n))) for n in (1, 2)] == [16, 36]
    assert counter.add.experimental_get_tracing_count() == count + 1


def test_explain_retrace_names_the_changed_state():
    f, model, *_ = make("retrace")
    called(f)
    model.bias = 2
    called(f)
    report = ag.explain_retrace(f)
    (change,) = report.traces[1].changes
    assert (change.kind, change.old, change.new) == ("outside", "1", "2")
    assert change.name.endswith("bias")
    assert report.covering.specs is None and "bias" in str(report.covering)


def test_guards_keep_no_object_alive():
    holder = Model()
    holder.part = Model()

    @ag.function(guards="retrace")
    def f(x):
        return x + holder.part.bias

    assert int(f(X)) == 2
    gone = weakref.ref(holder.part)
    holder.part = Model()
    holder.part.bias = 5
    gc.collect()
    assert int(f(X)) == 6
    assert gone() is None


def test_an_unknown_policy_is_refused():
    with pytest.raises(ConversionError, match="off, warn, retrace, not 'always'"):
        ag.function(lambda: 1, guards="always")


SHARED = {
    "queue": (queue.Queue, lambda q: q.qsize(), lambda q: q.put(1)),
    "event": (threading.Event, lambda e: int(e.is_set()), lambda e: e.set()),
    "semaphore": (threading.Semaphore, lambda s: s._value, lambda s: s.acquire()),
    "lock": (threading.Lock, lambda lock: int(lock.locked()), lambda lock: lock.acquire()),
}


@pytest.mark.parametrize("kind", SHARED)
def test_objects_shared_by_threads_are_guarded_by_their_contents(kind):
    make, look, change = SHARED[kind]
    for policy in ("retrace", "warn"):
        shared = make()
        f = ag.function(lambda x: x + look(shared), guards=policy)
        before = look(shared)
        assert int(f(X)) == int(X) + before
        change(shared)
        if policy == "retrace":
            assert int(f(X)) == int(X) + look(shared) != int(X) + before
        else:
            with pytest.warns(StaleValueWarning, match="shared' was another when"):
                f(X)


@pytest.mark.parametrize("asked", [os.getenv, os.environ.get, os.environ.__getitem__])
def test_the_environment_is_guarded(asked, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_RATE", "2")
    by_name = {
        os.getenv: lambda x: x * int(os.getenv("AUTOGRAPH_RATE")),
        os.environ.get: lambda x: x * int(os.environ.get("AUTOGRAPH_RATE", "0")),
        os.environ.__getitem__: lambda x: x * int(os.environ["AUTOGRAPH_RATE"]),
    }
    f = ag.function(by_name[asked], guards="retrace")
    assert int(f(rt.constant(3))) == 6
    monkeypatch.setenv("AUTOGRAPH_RATE", "5")
    assert int(f(rt.constant(3))) == 15
