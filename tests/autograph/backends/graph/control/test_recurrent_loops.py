"""Library loops that call user code: Python state agrees with eager execution."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf

nn, ops = rt.nn, tf.keras.ops
TABLE = {"n": 0}
ROWS = np.linspace(-1.0, 1.0, 40, dtype=np.float32).reshape(2, 5, 4)


class Cell(nn.layers.Layer):
    """A cell that counts its steps."""

    state_size = output_size = 3

    def __init__(self) -> None:
        super().__init__()
        self.steps, self.log, self.seen = 0, [], rt.constant(0.0)

    def build(self, input_shape: Any) -> None:
        self.w = self.add_weight(shape=(input_shape[-1], 3), initializer="ones")

    def call(self, inputs: Any, states: Any) -> Any:
        self.steps += 1
        h = self.step(rt.tanh(inputs @ self.w + states[0]))
        return h, [h]

    def step(self, h: Any) -> Any:
        return h


class Scaled(Cell):
    def step(self, h: Any) -> Any:
        return h * float(self.steps)


class OfTable(Cell):
    def step(self, h: Any) -> Any:
        TABLE["n"] += 1
        return h / float(TABLE["n"])


class Logging(Cell):
    def step(self, h: Any) -> Any:
        self.log.append(rt.reduce_sum(h))
        return h


class Summing(Cell):
    def step(self, h: Any) -> Any:
        self.seen = self.seen + rt.reduce_sum(h)
        return h + self.seen


class Deciding(Cell):
    def step(self, h: Any) -> Any:
        if self.steps % 2 == 0:
            h = h * 2.0
        if rt.reduce_sum(h) > 0.0:
            self.seen = self.seen + 1.0
        return h + self.seen


class Counting(nn.layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.calls, self.dense = 0, nn.layers.Dense(3, kernel_initializer="ones")

    def call(self, inputs: Any) -> Any:
        self.calls += 1
        return self.dense(inputs) * float(self.calls)


class WithLayer(Cell):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Counting()

    def call(self, inputs: Any, states: Any) -> Any:
        h = rt.tanh(self.inner(inputs) + states[0])
        return h, [h]


class OfGru(nn.layers.GRUCell):
    def __init__(self) -> None:
        super().__init__(3, kernel_initializer="ones", recurrent_initializer="ones")
        self.steps = 0

    def call(self, inputs: Any, states: Any, training: bool = False) -> Any:
        self.steps += 1
        output, states = super().call(inputs, states, training=training)
        return output * float(self.steps), states


class Plain:
    """A cell that is no layer."""

    state_size = output_size = 4

    def __init__(self) -> None:
        self.steps = 0

    def call(self, inputs: Any, states: Any) -> Any:
        self.steps += 1
        h = rt.tanh(inputs + states[0]) * float(self.steps)
        return h, [h]


LSTM = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
LAYERS: dict[str, Callable[[], Any]] = {
    "a counter": lambda: nn.layers.RNN(Cell()),
    "a counter that is read": lambda: nn.layers.RNN(Scaled()),
    "a global dict": lambda: nn.layers.RNN(OfTable()),
    "a list": lambda: nn.layers.RNN(Logging()),
    "a tensor": lambda: nn.layers.RNN(Summing()),
    "branches": lambda: nn.layers.RNN(Deciding()),
    "a layer in the cell": lambda: nn.layers.RNN(WithLayer()),
    "a class of the library's": lambda: nn.layers.RNN(OfGru()),
    "a cell that is no layer": lambda: nn.layers.RNN(Plain()),
    "all outputs": lambda: nn.layers.RNN(Scaled(), return_sequences=True),
    "backwards": lambda: nn.layers.RNN(Scaled(), go_backwards=True, return_state=True),
    "states kept": lambda: nn.layers.RNN(Scaled(), stateful=True),
    "unrolled": lambda: nn.layers.RNN(Scaled(), unroll=True),
    "two cells": lambda: nn.layers.RNN([Scaled(), Summing()]),
    "among cells of the library": lambda: nn.layers.RNN(
        nn.layers.StackedRNNCells([nn.layers.LSTMCell(3, **LSTM), Scaled()])
    ),
    "both ways": lambda: nn.layers.Bidirectional(nn.layers.RNN(Scaled(), return_sequences=True)),
    "masked": lambda: nn.Sequential([nn.layers.Masking(), nn.layers.RNN(Scaled())]),
}


def state(value: Any, seen: dict[int, object]) -> list[Any]:
    """Return the state of the user's objects in a layer that steps change."""
    if id(value) in seen:
        return []
    seen[id(value)] = value
    found: list[Any] = []
    if isinstance(value, (Cell, Counting, OfGru, Plain)):
        held = {key: each for key, each in vars(value).items() if key in ("steps", "calls")}
        held["log"] = [round(float(each), 3) for each in getattr(value, "log", [])]
        held["seen"] = round(float(getattr(value, "seen", 0.0)), 3)
        found.append((type(value).__name__, held))
    parts = vars(value) if hasattr(value, "__dict__") else value if type(value) is dict else {}
    inside = [*parts.values(), *(value if isinstance(value, (list, tuple)) else ())]
    for each in inside:
        if isinstance(each, (list, tuple, dict)) or hasattr(each, "__dict__"):
            found += state(each, seen)
    return found


def results_and_states(layer: Any, call: Callable[[Any], Any]) -> list[Any]:
    TABLE["n"] = 0
    batches = [ROWS, ROWS * 2.0, np.concatenate([ROWS, ROWS], 1), ROWS]
    found: list[Any] = []
    for batch in batches:
        result = rt.nest.flatten(call(rt.constant(batch)))
        values = [np.round(each.numpy(), 3).tolist() for each in result]
        found.append((values, state(layer, {}), TABLE["n"]))
    return found


@pytest.mark.parametrize("make", LAYERS.values(), ids=LAYERS)
def test_python_state_of_a_cell_agrees_with_eager_execution(make: Callable[[], Any]) -> None:
    eager, traced = make(), make()
    expected = results_and_states(eager, eager)
    staged = ag.function(lambda x: traced(x))
    assert expected == results_and_states(traced, staged)


def test_gradients_go_through_the_loop() -> None:
    def weights(call: Callable[[Any], Any], layer: Any) -> list[list[float]]:
        def step(x: Any) -> Any:
            with rt.GradientTape() as tape:
                y = rt.reduce_sum(call(x))
            return tape.gradient(y, layer.trainable_variables)

        staged = ag.function(step) if call is not layer else step
        return [each.numpy().tolist() for _ in range(2) for each in staged(rt.constant(ROWS))]

    one, other = nn.layers.RNN(Scaled()), nn.layers.RNN(Scaled())
    one(rt.constant(ROWS)), other(rt.constant(ROWS))
    np.testing.assert_allclose(weights(one, one), weights(lambda x: other(x), other), 1e-5)


def test_a_fitted_model_counts_each_step() -> None:
    cells = []
    for is_eager in (True, False):
        cells.append(Cell())
        model = nn.Sequential([nn.layers.RNN(cells[-1]), nn.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse", run_eagerly=is_eager)
        model.fit(ROWS, np.ones((2, 1), np.float32), epochs=3, batch_size=1, verbose=0)
    assert cells[0].steps == cells[1].steps >= 30


# -- functions that ops of Keras are given ---------------------------------------------------------


def _adding() -> tuple[Any, Callable[..., Any]]:
    m = SimpleNamespace(n=0)

    def add(a: Any, b: Any = 1.0) -> Any:
        m.n += 1
        return a + b * float(m.n)

    return m, add


LOOPS: dict[str, Callable[[Any, Any], Any]] = {
    "fori_loop": lambda add, x: ops.fori_loop(0, 4, lambda i, v: add(v), x[0]),
    "scan": lambda add, x: ops.scan(lambda c, e: (add(c, e), c), 0.0, x),
    "scan backwards": lambda add, x: ops.scan(lambda c, e: (add(c, e), c), 0.0, x, reverse=True),
    "scan by length": lambda add, x: ops.scan(lambda c, e: (add(c), c), x[0], length=3),
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_keras_ops_loops_write_python_state(loop: Callable[[Any, Any], Any]) -> None:
    x = rt.constant([1.0, 2.0, 3.0])
    (m, add), (n, other) = _adding(), _adding()
    staged = ag.function(lambda x: loop(other, x))
    for _ in range(3):
        expected = [each.numpy().tolist() for each in rt.nest.flatten(loop(add, x))]
        assert expected == [each.numpy().tolist() for each in rt.nest.flatten(staged(x))]
        assert m.n == n.n


@pytest.mark.parametrize("way", [rt.vectorized_map, lambda f, x: ops.vectorized_map(f, x)])
def test_vectorized_map_calls_its_function_once(way: Callable[..., Any]) -> None:
    m = SimpleNamespace(n=0)

    def counted(x: Any) -> Any:
        m.n += 1
        return x * 2.0, x > 1.0

    rows = rt.constant([1.0, 2.0, 3.0])
    way(counted, rows)
    assert 3 == m.n
    m.n = 0
    with pytest.warns(ag.errors.TraceEffectWarning, match=r"'m\.n' .* vectorized_map") as caught:
        doubled, larger = ag.function(lambda x: way(counted, x))(rows)
    assert ([2.0, 4.0, 6.0], [False, True, True]) == (
        doubled.numpy().tolist(),
        larger.numpy().tolist(),
    )
    assert (1, __file__) == (m.n, caught[0].filename)


def test_a_python_effect_in_keras_switch_warns() -> None:
    m = SimpleNamespace(n=0)

    def counted(x: Any) -> Any:
        m.n += 1
        return x

    choose = ag.function(lambda i, x: ops.switch(i, [counted, lambda x: x * 2.0], x))
    with pytest.warns(ag.errors.TraceEffectWarning, match=r"'m\.n'"):
        assert 6.0 == float(choose(rt.constant(1), rt.constant(3.0)))
