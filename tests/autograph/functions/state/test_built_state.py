"""State that `build` or an `init_scope` assigns: calls continue from it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

nn = rt.nn
ONE = rt.constant(1.0)
TABLE = {"n": 0}


class Counting(nn.layers.Layer):
    """A layer that counts its calls from where `build` begins."""

    def __init__(self) -> None:
        super().__init__()
        self.step = 0

    def build(self, input_shape: Any) -> None:
        self.step = 10

    def call(self, inputs: Any) -> Any:
        self.step += 1
        return inputs * float(self.step)


class FromNothing(Counting):
    """`build` gives the number that was there."""

    def build(self, input_shape: Any) -> None:
        self.step = 0


class OfTensors(Counting):
    def build(self, input_shape: Any) -> None:
        self.step = rt.constant(5.0)

    def call(self, inputs: Any) -> Any:
        self.step = self.step + rt.reduce_sum(inputs)
        return inputs * self.step


class InBranch(Counting):
    def call(self, inputs: Any) -> Any:
        if rt.reduce_sum(inputs) > 0.0:
            self.step += 1
        return inputs * rt.cast(self.step, rt.float32)


class InLoop(Counting):
    def call(self, inputs: Any) -> Any:
        for _ in rt.range(2):
            self.step += 1
        return inputs * rt.cast(self.step, rt.float32)


class OfDict(Counting):
    def build(self, input_shape: Any) -> None:
        TABLE["n"] = 4

    def call(self, inputs: Any) -> Any:
        TABLE["n"] += 1
        return inputs * float(TABLE["n"])


class OfContainers(Counting):
    def __init__(self) -> None:
        super().__init__()
        self.counts, self.log, self.seen = [0, 0], [1], {9}

    def build(self, input_shape: Any) -> None:
        self.counts[0] = 5
        self.log.append(7)
        self.seen.add(1)

    def call(self, inputs: Any) -> Any:
        self.counts[0] += 1
        self.log.append(len(self.log))
        self.seen.add(len(self.seen))
        return inputs * float(self.counts[0] + 100 * self.log[-1] + 10000 * len(self.seen))


class BySetter(Counting):
    def __init__(self) -> None:
        nn.layers.Layer.__init__(self)
        self._step = 0

    @property
    def step(self) -> int:
        return self._step

    @step.setter
    def step(self, value: int) -> None:
        self._step = value * 2


class OfHelper(Counting):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.helper = Counting(), SimpleNamespace(n=1)

    def build(self, input_shape: Any) -> None:
        self.helper.n = 3
        self.step = 2

    def call(self, inputs: Any) -> Any:
        self.helper.n += self.step
        self.step += 1
        return self.inner(inputs) * float(self.helper.n)


KINDS = [FromNothing, Counting, OfTensors, InBranch, InLoop, OfDict]
KINDS += [OfContainers, BySetter, OfHelper]


def called(layer: Any, function: Callable[[Any], Any]) -> list[list[float]]:
    """Return the results of calls, the third of them of another shape."""
    values = (1.0, 1.0, [1.0, 2.0], 1.0, [3.0, 1.0], 2.0)
    return [rt.reshape(function(rt.constant(each)), (-1,)).numpy().tolist() for each in values]


@pytest.mark.parametrize("kind", KINDS)
def test_calls_continue_from_state_assigned_by_build(kind: type[Any]) -> None:
    plain, traced = kind(), kind()
    expected = called(plain, plain)
    assert expected == called(traced, ag.function(lambda x: traced(x)))
    assert float(plain.step) == float(traced.step)


# A set that grows in a branch is refused.
@pytest.mark.parametrize("kind", [each for each in KINDS if each is not OfContainers])
def test_layers_in_a_staged_branch_too(kind: type[Any]) -> None:
    def f(layer: Any, x: Any) -> Any:
        y = x
        if x > 0.0:
            y = layer(x)
        return y

    plain, traced = kind(), kind()
    staged = ag.function(f)
    expected = [float(f(plain, ONE)) for _ in range(3)]
    assert expected == [float(staged(traced, ONE)) for _ in range(3)]


@pytest.mark.parametrize("kind", [FromNothing, Counting, BySetter])
def test_predict_continues_from_state_assigned_by_build(kind: type[Any]) -> None:
    plain, traced = kind(), kind()
    model = nn.models.Sequential([traced])
    found = model.predict(np.ones((6, 1), np.float32), batch_size=2, verbose=0)
    expected = [float(value) for _ in range(3) for value in [plain(ONE)] * 2]
    assert expected == found.ravel().tolist()
    assert plain.step == traced.step


def test_fit_continues_from_state_assigned_by_build() -> None:
    class Model(nn.models.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense, self.step = nn.layers.Dense(1), 0

        def build(self, input_shape: Any) -> None:
            self.step = 100
            self.dense.build(input_shape)

        def call(self, inputs: Any) -> Any:
            self.step += 1
            return self.dense(inputs) + 0.0 * self.step

    model, data = Model(), np.ones((6, 1), np.float32)
    model.compile("sgd", "mse")
    model.fit(data, data, batch_size=2, epochs=2, verbose=0)
    assert 106 == model.step


def test_a_build_that_a_function_calls_itself() -> None:
    layer = Counting()

    @ag.function
    def f(x: Any) -> Any:
        if not layer.built:
            layer.build(x.shape)
        return layer(x)

    assert [11.0, 12.0, 13.0] == [float(f(ONE)) for _ in range(3)]
    assert 13 == layer.step


def test_a_call_that_is_a_function_itself() -> None:
    class Staged(Counting):
        call = ag.function(Counting.call)

    layer = Staged()
    assert [11.0, 12.0, 13.0] == [float(layer(ONE)) for _ in range(3)]
    assert 13 == layer.step


def test_the_cell_of_a_recurrent_layer() -> None:
    class Cell(nn.layers.Layer):
        state_size = output_size = 1

        def __init__(self) -> None:
            super().__init__()
            self.scale = 1.0

        def build(self, input_shape: Any) -> None:
            self.scale = 3.0

        def call(self, inputs: Any, states: Any) -> Any:
            return inputs * self.scale, [states[0] + inputs]

    layer = nn.layers.RNN(cell := Cell())

    @ag.function
    def f(x: Any) -> Any:
        y = rt.reduce_sum(layer(x))
        cell.scale += 1.0
        return y

    assert [3.0, 4.0, 5.0] == [float(f(rt.ones((1, 2, 1)))) for _ in range(3)]
    assert 6.0 == cell.scale


@pytest.mark.parametrize("is_asked_for", [False, True])
def test_an_optimizer_continues_from_state_assigned_by_build(is_asked_for: bool) -> None:
    class Growing(nn.optimizers.Optimizer):
        def __init__(self) -> None:
            super().__init__(learning_rate=1.0)
            self.k = 0

        def build(self, var_list: Any) -> None:
            super().build(var_list)
            self.k = 10

        def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
            self.k += 1
            variable.assign_add(gradient * float(self.k))

    optimizer, v = Growing(), rt.Variable(0.0)

    @ag.function
    def f(x: Any) -> Any:
        if is_asked_for and not optimizer.built:
            optimizer.build([v])
        optimizer.apply_gradients([(x, v)])
        return v.read_value()

    assert [11.0, 23.0, 36.0] == [float(f(ONE)) for _ in range(3)]
    assert 13 == optimizer.k


@pytest.mark.parametrize("before", [0, 3, None])
def test_state_assigned_once_in_an_init_scope_changes_in_calls(before: int | None) -> None:
    t = SimpleNamespace(ready=False, n=before)

    @ag.function
    def f(x: Any) -> Any:
        if not t.ready:
            with rt.init_scope():
                t.ready, t.n = True, 3
        t.n += 1
        return x * float(t.n)

    assert [4.0, 5.0, 6.0] == [float(f(ONE)) for _ in range(3)]
    assert 6 == t.n


def test_a_concrete_function_continues_from_built_state() -> None:
    layer = Counting()
    f = ag.function(lambda x: layer(x)).get_concrete_function(rt.TensorSpec(()))
    assert [11.0, 12.0, 13.0] == [float(f(ONE)) for _ in range(3)]


def test_nested_functions_continue_from_built_state() -> None:
    layer = Counting()
    inner = ag.function(lambda x: layer(x))
    outer = ag.function(lambda x: inner(x) + 1.0)
    assert [12.0, 13.0, 14.0] == [float(outer(ONE)) for _ in range(3)]


def test_two_functions_share_built_state() -> None:
    layer = Counting()
    first, second = ag.function(lambda x: layer(x)), ag.function(lambda x: -layer(x))
    found = [float(f(ONE)) for f in (first, second, first, second)]
    assert [11.0, -12.0, 13.0, -14.0] == found


class OfSketch(nn.layers.Layer):
    """A layer whose `call` leaves tensors in an attribute, a list, a dict and an object."""

    def __init__(self) -> None:
        super().__init__()
        self.count: Any = 0
        self.seen: list[Any] = []
        self.last: dict[str, Any] = {}
        self.part = SimpleNamespace(total=rt.constant(0.0))

    def call(self, inputs: Any) -> Any:
        if rt.reduce_sum(inputs) > 0.0:
            self.count += 1
        self.seen.append(inputs)
        self.last["x"] = inputs
        self.part.total = self.part.total + rt.reduce_sum(inputs)
        return inputs * 2.0


@pytest.mark.parametrize("is_function", [False, True])
def test_inferring_the_shapes_of_a_model_leaves_no_tensor_in_its_layers(is_function: bool) -> None:
    layer = OfSketch()
    model = nn.Sequential([nn.Input((2,)), layer])
    assert (0, [], {}) == (layer.count, layer.seen, layer.last)
    call = ag.function(lambda x: model(x)) if is_function else model
    for _ in range(2):
        call(rt.ones((1, 2)))
    found = int(layer.count), len(layer.seen), [*layer.last], float(layer.part.total)
    assert (2, 2, ["x"], 4.0) == found
