"""Arrays that `build` or an `init_scope` creates are state of later calls."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

nn = rt.nn


class Buffered(nn.layers.Layer):
    """A layer with a buffer, and the place in it that comes next."""

    def build(self, input_shape: Any) -> None:
        self.buffer, self.place = np.zeros(3, np.float32), 0

    def call(self, inputs: Any) -> Any:
        self.buffer[self.place % 3] = rt.reduce_sum(inputs)
        self.place += 1
        return inputs + rt.reduce_sum(self.buffer)


class OfPython(Buffered):
    """The values are Python's alone."""

    def call(self, inputs: Any) -> Any:
        self.buffer[0] += 1.0
        return inputs * float(self.buffer[0])


class Shifting(Buffered):
    """Python's values move, and a tensor comes in."""

    def call(self, inputs: Any) -> Any:
        self.buffer[1:] = self.buffer[:-1].copy()
        self.buffer[0] = rt.reduce_mean(inputs)
        return inputs + self.buffer[1] * 10.0 + self.buffer[2] * 100.0


class InPlace(Buffered):
    def call(self, inputs: Any) -> Any:
        self.buffer *= 0.5
        self.buffer += rt.reduce_mean(inputs)
        return inputs + self.buffer[1]


class ByView(Buffered):
    def call(self, inputs: Any) -> Any:
        tail = self.buffer[1:]
        tail[0] = rt.reduce_sum(inputs)
        return inputs + rt.reduce_sum(self.buffer) + tail[1]


class InBranch(Buffered):
    def call(self, inputs: Any) -> Any:
        if rt.reduce_sum(inputs) > 0.0:
            self.buffer[0] += rt.reduce_sum(inputs)
        else:
            self.buffer[1] -= 1.0
        return inputs + rt.reduce_sum(self.buffer)


class InLoop(Buffered):
    def call(self, inputs: Any) -> Any:
        for each in rt.range(3):
            self.buffer[each] += rt.reduce_sum(inputs) * rt.cast(each, rt.float32)
        return inputs + rt.reduce_sum(self.buffer)


class InAList(Buffered):
    def build(self, input_shape: Any) -> None:
        self.buffers = [np.zeros(2, np.float32), np.ones(2, np.int32)]
        self.named = {"n": np.zeros((), np.float32), "same": self.buffers[0]}

    def call(self, inputs: Any) -> Any:
        self.buffers[0][0] += rt.reduce_sum(inputs)
        self.buffers[1][0] += 2
        self.named["n"][...] = self.named["n"] + 1.0
        return inputs + self.named["same"][0] + float(self.buffers[1][0]) + self.named["n"]


class Reading(Buffered):
    """Nothing is changed: the array is a constant, whose numbers say shapes."""

    def build(self, input_shape: Any) -> None:
        self.sizes = np.array([1, 2])

    def call(self, inputs: Any) -> Any:
        return rt.reshape(inputs, (int(self.sizes[0]), -1)) * np.sqrt(self.sizes)[1]


class Replaced(Buffered):
    def call(self, inputs: Any) -> Any:
        self.buffer[0] = rt.reduce_sum(inputs)
        total = inputs + rt.reduce_sum(self.buffer)
        self.buffer = self.buffer + 1.0
        return total


class Nested(Buffered):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Buffered()

    def call(self, inputs: Any) -> Any:
        self.buffer[0] += rt.reduce_sum(self.inner(inputs))
        return inputs + self.buffer[0]


KINDS = [Buffered, OfPython, Shifting, InPlace, ByView, InBranch, InLoop, InAList, Reading]
KINDS += [Replaced, Nested]


def arrays_in(value: Any) -> list[Any]:
    if isinstance(value, (np.ndarray, rt.Tensor)):
        return [np.asarray(value).round(3).tolist()]
    if isinstance(value, (list, dict)):
        return [arrays_in(each) for each in (value.values() if type(value) is dict else value)]
    return arrays_in(vars(value).copy()) if isinstance(value, Buffered) else []


def results_and_arrays(layer: Any, call: Callable[[Any], Any]) -> list[Any]:
    found = []
    for values in ([1.0, 2.0], [-3.0, 1.0], [[5.0, 2.0]], [1.0, 0.5], [2.0, 2.0], [-1.0, 0.0]):
        result = call(rt.constant(values)).numpy().round(3).tolist()
        found.append((result, arrays_in(layer)))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_calls_continue_from_arrays_created_by_build(kind: type[Any]) -> None:
    eager, traced = kind(), kind()
    expected = results_and_arrays(eager, eager)
    staged = ag.function(lambda x: traced(x))
    assert expected == results_and_arrays(traced, staged)
    assert type(getattr(traced, "buffer", np.zeros(1))) in (np.ndarray, rt.EagerTensor)


def test_an_init_scope_s_array_too() -> None:
    def made() -> Callable[[Any], Any]:
        m = SimpleNamespace(seen=None)

        def f(x: Any) -> Any:
            with rt.init_scope():
                if m.seen is None:
                    m.seen = np.zeros(2, np.float32)
            m.seen[0] += rt.reduce_sum(x)
            return x + m.seen[0]

        return f

    values = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    plain, staged = made(), ag.function(made())
    expected = [plain(rt.constant(each)).numpy().tolist() for each in values]
    assert expected == [staged(rt.constant(each)).numpy().tolist() for each in values]
    assert 2 == staged.experimental_get_tracing_count()


def test_fit_and_predict_continue_from_arrays_created_by_build() -> None:
    buffers = []
    for is_eager in (True, False):
        layer = InPlace()
        model = nn.Sequential([layer, nn.layers.Dense(1, kernel_initializer="ones")])
        model.compile(optimizer="sgd", loss="mse", run_eagerly=is_eager)
        x, y = np.ones((4, 2), np.float32), np.ones((4, 1), np.float32)
        model.fit(x, y, epochs=2, batch_size=2, verbose=0)
        found = model.predict(x, verbose=0)
        buffers.append((np.asarray(layer.buffer).round(3).tolist(), found.round(3).tolist()))
    assert buffers[0] == buffers[1]
