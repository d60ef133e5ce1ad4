"""Guarded calls by fast keys: every change of guarded state is seen."""

from __future__ import annotations

import gc
import warnings
import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StaleValueWarning

RATE = 2.0
nn = rt.nn


def settled(call: Any, hits: list[bool]) -> Any:
    """Return the result of a call that was found by its fast key the last time."""
    results = [np.asarray(call()).tolist() for _ in range(4)]
    assert results[1:] == results[:-1] and hits[-1]
    return results[-1]


def test_numbers_objects_and_globals(hits: list[bool]) -> None:
    global RATE
    RATE = 2.0
    box = SimpleNamespace(rate=3.0, part=SimpleNamespace(bias=1.0), pair=(1.0, "sum"))

    @ag.function(guards="retrace")
    def f(x: Any) -> Any:
        return x * RATE * box.rate + box.part.bias + box.pair[0]

    x = rt.constant(1.0)
    assert 8.0 == settled(lambda: f(x), hits)
    box.rate = 4.0
    assert 10.0 == settled(lambda: f(x), hits)
    RATE = 1.0
    assert 6.0 == settled(lambda: f(x), hits)
    box.part.bias = 2.0
    assert 7.0 == settled(lambda: f(x), hits)
    box.part = SimpleNamespace(bias=10.0)
    assert 15.0 == settled(lambda: f(x), hits)
    box.pair = (3.0, "sum")
    assert 17.0 == settled(lambda: f(x), hits)
    box.rate = 3.0
    assert 16.0 == settled(lambda: f(x), hits)
    traces = f.experimental_get_tracing_count()
    box.rate = 4.0
    assert 17.0 == float(f(x)) and traces == f.experimental_get_tracing_count()


def test_items_and_arrays_changed_in_place(hits: list[bool]) -> None:
    table, weights, scale = {"a": 1.0}, [1.0, 2.0], np.array([1.0, 2.0], np.float32)

    @ag.function(guards="retrace")
    def f(x: Any) -> Any:
        return x * table["a"] + sum(weights) + rt.constant(scale)

    x = rt.constant([1.0, 1.0])
    assert [5.0, 6.0] == settled(lambda: f(x), hits)
    table["a"] = 2.0
    assert [6.0, 7.0] == settled(lambda: f(x), hits)
    weights.append(10.0)
    assert [16.0, 17.0] == settled(lambda: f(x), hits)
    weights[0] = 0.0
    assert [15.0, 16.0] == settled(lambda: f(x), hits)
    scale[0] = 5.0
    assert [19.0, 16.0] == settled(lambda: f(x), hits)


class Scaled:
    def __init__(self) -> None:
        self.weight = rt.Variable(2.0)

    def apply(self, x: Any) -> Any:
        return x * self.weight + getattr(self, "bias", 0.0)


def test_changed_weights_methods_and_new_attributes(hits: list[bool]) -> None:
    class Own(Scaled):
        pass

    part = Own()

    @ag.function(guards="retrace")
    def f(x: Any) -> Any:
        return part.apply(x)

    x = rt.constant(3.0)
    assert 6.0 == settled(lambda: f(x), hits)
    part.weight.assign(3.0)
    assert 9.0 == settled(lambda: f(x), hits)
    part.weight = rt.Variable(10.0)
    assert 30.0 == settled(lambda: f(x), hits)
    part.bias = 1.0  # type: ignore[attr-defined]
    assert 31.0 == settled(lambda: f(x), hits)
    del part.bias  # type: ignore[attr-defined]
    assert 30.0 == settled(lambda: f(x), hits)
    Own.apply = lambda self, x: x - self.weight  # type: ignore[method-assign]
    assert -7.0 == settled(lambda: f(x), hits)


class Stack(nn.Module):
    """Layers in a list, and a number in a dict."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = [nn.layers.Dense(1, kernel_initializer="ones") for _ in range(2)]
        self.mode = {"scale": 1.0}

    def __call__(self, x: Any) -> Any:
        for each in self.layers:
            x = each(x)
        return x * self.mode["scale"]


def test_layers_that_are_replaced_and_nested(hits: list[bool]) -> None:
    outer = SimpleNamespace(model=Stack())
    x = rt.constant([[1.0, 2.0]])
    outer.model(x)

    @ag.function(guards="retrace")
    def f(x: Any) -> Any:
        return outer.model(x)

    assert [[3.0]] == settled(lambda: f(x), hits)
    outer.model.mode["scale"] = 2.0
    assert [[6.0]] == settled(lambda: f(x), hits)
    extra = nn.layers.Dense(1, kernel_initializer="ones")
    extra.build((None, 1))
    extra.set_weights([np.array([[3.0]]), np.array([0.0])])
    outer.model.layers.append(extra)
    assert [[18.0]] == settled(lambda: f(x), hits)
    outer.model.layers.pop()
    assert [[6.0]] == settled(lambda: f(x), hits)
    outer.model.layers[1] = extra
    assert [[18.0]] == settled(lambda: f(x), hits)
    other = Stack()
    other(x)
    outer.model = other
    assert [[3.0]] == settled(lambda: f(x), hits)


def test_guards_and_state_together(hits: list[bool]) -> None:
    box = SimpleNamespace(total=rt.constant(0.0), rate=1.0)

    @ag.function(guards="retrace")
    def f(x: Any) -> Any:
        box.total = box.total + x * box.rate
        return box.total

    x = rt.constant(1.0)
    assert [1.0, 2.0, 3.0, 4.0] == [float(f(x)) for _ in range(4)] and hits[-1]
    box.rate = 10.0
    assert [14.0, 24.0, 34.0] == [float(f(x)) for _ in range(3)]
    box.total = rt.constant(0.0)
    assert 10.0 == float(f(x)) and hits[-1]


def test_each_new_value_warns_once(hits: list[bool]) -> None:
    box = SimpleNamespace(rate=2.0)

    @ag.function(guards="warn")
    def f(x: Any) -> Any:
        return x * box.rate

    x = rt.constant(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 2.0 == settled(lambda: f(x), hits)
    for rate in (3.0, 4.0):
        box.rate = rate
        with pytest.warns(StaleValueWarning, match=rf"is {rate} now"):
            assert 2.0 == float(f(x))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert 2.0 == settled(lambda: f(x), hits)


def test_guarded_objects_are_not_kept_alive(hits: list[bool]) -> None:
    class Part:
        rate = 2.0

    box = SimpleNamespace(part=Part())

    @ag.function(guards="retrace")
    def f(x: Any) -> Any:
        return x * box.part.rate

    x = rt.constant(1.0)
    assert 2.0 == settled(lambda: f(x), hits)
    gone = weakref.ref(box.part)
    box.part = SimpleNamespace(rate=3.0)
    gc.collect()
    assert gone() is None
    assert 3.0 == settled(lambda: f(x), hits)
