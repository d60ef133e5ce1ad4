"""A repeated trace starts from the state before the first one."""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError
from runtime.nn.modules import names
from runtime.nn.seeds import forget_seeds, set_random_seed

X = rt.constant([[1.0, 2.0, 3.0, 4.0]])
TABLE: dict[str, int] = {}
BUILT: list[str] = []


class Scale(rt.nn.layers.Layer):
    """A layer whose `build` sets numbers, a list, a dict and layers."""

    def __init__(self) -> None:
        super().__init__()
        self.dim = 1.0
        self.parts: list[Any] = []
        self.info: dict[str, Any] = {}
        self.builds = 0

    def build(self, input_shape: Any) -> None:
        BUILT.append("Scale")
        self.dim = float(input_shape[-1])
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones")
        self.parts.append(rt.nn.layers.Dense(4, kernel_initializer="ones"))
        self.info["width"] = input_shape[-1]
        self.builds += 1

    def call(self, inputs: Any) -> Any:
        x = inputs * self.dim * self.w
        for part in self.parts:
            x = part(x)
        return x + self.info["width"]


class Trainer:
    """Steps, counted, through a layer."""

    def __init__(self) -> None:
        self.layer = Scale()
        self.step = 0
        self.best: Any = 100.0
        self.late: Any = None
        self.random = random.Random(3)
        self.noise = np.random.default_rng(3)
        self.array = np.zeros(2)
        self.queue: deque[int] = deque(maxlen=3)

    def plain(self, x: Any) -> Any:
        return self.layer(x)

    def counting(self, x: Any) -> Any:
        self.step += 1
        return self.layer(x) + self.step

    def keeping_the_best(self, x: Any) -> Any:
        y = self.layer(x)
        s = rt.reduce_mean(y)
        if s < self.best:
            self.best = s
        return y

    def making_late(self, x: Any) -> Any:
        self.step += 1
        if self.late is None:
            self.late = rt.nn.layers.Dense(2)
        return self.late(x) * self.step

    def drawing(self, x: Any) -> Any:
        self.step += 1
        return x * self.random.random() + self.noise.normal() + self.step

    def writing(self, x: Any) -> Any:
        self.step += 1
        self.array[0] += 1.0
        self.queue.append(7)
        TABLE["calls"] = TABLE.get("calls", 0) + 1
        return x + self.step + TABLE["calls"]


def _begin() -> Trainer:
    names.forget_names()
    set_random_seed(11)
    TABLE.clear()
    BUILT.clear()
    return Trainer()


def _looks(trainer: Trainer) -> list[Any]:
    layer, late = trainer.layer, trainer.late
    weights = [*layer.weights, *([] if late is None else late.weights)]
    looks = [layer.dim, len(layer.parts), dict(layer.info), layer.builds, layer.built, layer.name]
    counted = [trainer.step, float(trainer.best), list(trainer.array), dict(TABLE), list(BUILT)]
    return [*looks, *counted, list(trainer.queue), [(w.path, w.numpy().tolist()) for w in weights]]


def _traced(name: str, calls: int) -> tuple[list[Any], list[Any], Any]:
    trainer = _begin()
    try:
        step = ag.function(getattr(trainer, name))
        return [step(X * (k + 1)).numpy() for k in range(calls)], _looks(trainer), step
    finally:
        forget_seeds()


def _plain(name: str, calls: int) -> tuple[list[Any], list[Any]]:
    trainer = _begin()
    try:
        step: Callable[..., Any] = getattr(trainer, name)
        return [step(X * (k + 1)).numpy() for k in range(calls)], _looks(trainer)
    finally:
        forget_seeds()


@pytest.mark.parametrize("name", ["plain", "counting", "keeping_the_best", "making_late"])
def test_state_of_build_survives_a_repeated_trace(name: str) -> None:
    expected, left = _plain(name, 3)
    actual, found, _ = _traced(name, 3)
    np.testing.assert_allclose(actual, expected, rtol=1e-6)
    assert left == found


def test_random_numbers_of_a_discarded_trace_are_drawn_again() -> None:
    expected, _ = _plain("drawing", 1)
    actual, _, _ = _traced("drawing", 1)
    np.testing.assert_allclose(actual, expected, rtol=1e-6)


def test_arrays_and_containers_are_changed_once_in_a_trace() -> None:
    expected, left = _plain("writing", 1)
    actual, found, _ = _traced("writing", 1)
    np.testing.assert_allclose(actual, expected, rtol=1e-6)
    assert left == found


def test_a_helper_created_by_build_keeps_state() -> None:
    class Helper:
        def __init__(self) -> None:
            self.uses = 0

        def used(self, x: Any) -> Any:
            self.uses += 1
            return x + self.uses

    class Layer(rt.nn.layers.Layer):
        def build(self, input_shape: Any) -> None:
            self.helper = Helper()

        def call(self, inputs: Any) -> Any:
            return self.helper.used(inputs)

    layer = Layer()
    step = ag.function(lambda x: layer(x))
    assert [1.0, 2.0, 3.0] == [float(step(rt.zeros((1, 1)))[0, 0]) for _ in range(3)]
    assert layer.helper.uses == 3


def test_a_concrete_function_of_a_layer_that_it_builds_may_be_called_again() -> None:
    trainer = Trainer()
    concrete = ag.function(trainer.plain).get_concrete_function(rt.TensorSpec((1, 4)))
    first, second = concrete(X), concrete(X * 2.0)
    assert trainer.layer.builds == 1
    np.testing.assert_allclose(second.numpy() - 4.0, (first.numpy() - 4.0) * 2.0)


def test_a_layer_built_in_a_branch_is_built_on_both_paths() -> None:
    layer = Scale()

    @ag.function
    def chosen(x: Any) -> Any:
        if rt.reduce_sum(x) > 0.0:
            y = layer(x)
        else:
            y = x
        return y

    chosen(-X)
    np.testing.assert_allclose(chosen(X).numpy(), layer(X).numpy())
    assert (layer.dim, layer.builds) == (4.0, 1)


def test_a_layer_built_in_a_loop_is_built_once() -> None:
    layer = Scale()

    @ag.function
    def repeated(x: Any, n: Any) -> Any:
        for _ in rt.range(n):
            x = layer(x) / 100.0
        return x

    y = repeated(X, rt.constant(2))
    np.testing.assert_allclose(y.numpy(), layer(layer(X) / 100.0).numpy() / 100.0, rtol=1e-6)
    assert (layer.dim, layer.builds, len(layer.parts)) == (4.0, 1, 1)


def numbers_of(kind: str) -> Any:
    if kind == "generator":
        return (each for each in range(5, 20))
    return {"count": itertools.count(5), "list": iter([*range(5, 20)]), "zip": zip(range(5, 20))}[
        kind
    ]


@pytest.mark.parametrize("kind", ["generator", "count", "list", "zip"])
def test_a_discarded_trace_loses_no_items_of_an_iterator(kind: str) -> None:
    numbers, turns = numbers_of(kind), [1.5, 2.5]

    @ag.function
    def f(x: Any) -> Any:
        turns.append(len(turns))
        item = next(numbers)
        return x + (item[0] if kind == "zip" else item)

    assert float(f(rt.constant(0.0))) == 5.0
    assert turns == [1.5, 2.5, 2]
    assert float(f(rt.constant(0.0))) == 6.0
    assert turns == [1.5, 2.5, 2, 3]


def _kept(items: Any, left: list[Any]) -> Any:
    def f(v: Any, x: Any) -> Any:
        item = next(items)
        left.append(v)
        return x * item

    return f


def _told_apart(items: Any, left: list[Any]) -> Any:
    other = rt.Variable(2.0)

    def f(v: Any, x: Any) -> Any:
        return x * next(items) + len({v.ref(), other.ref()})

    return f


@pytest.mark.parametrize("make", [_kept, _told_apart])
def test_consuming_an_iterator_while_tracing_by_variable_is_refused(
    make: Any,
) -> None:
    items = iter([1.0, 2.0, 3.0])
    traced = ag.function(make(items, []))
    x = rt.constant(10.0)
    with pytest.raises(StagingError, match="takes items of an iterator while it is traced"):
        for _ in range(2):
            traced(rt.Variable(1.0), x)
