"""Values of weights in functions are read and assigned in each call, or refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, FailedPreconditionError, ShapeError

nn = rt.nn
ONE = rt.ones([1, 1])
Program = Callable[[Any, Any, Path], Any]
FIVE = [np.array([[5.0]], "float32"), np.zeros(1, "float32")]


def dense() -> Any:
    layer = nn.layers.Dense(1, kernel_initializer="ones")
    layer.build((None, 1))
    return layer


def model() -> Any:
    return nn.Sequential([nn.Input((1,)), nn.layers.Dense(1, kernel_initializer="ones")])


def given(a: Any, b: Any, path: Path) -> Any:
    before = a(ONE)
    a.set_weights(FIVE)
    return before, a(ONE)


def given_other_kinds(a: Any, b: Any, path: Path) -> Any:
    a.set_weights([[[5]], np.ones(1)])
    return a(ONE)


def given_tensors(a: Any, b: Any, path: Path) -> Any:
    a.set_weights([rt.cast(a.weights[0] * 2.0, "float64"), a.weights[1]])
    return a(ONE)


def copied(a: Any, b: Any, path: Path) -> Any:
    b.set_weights(a.get_weights())
    return b(ONE)


def averaged(a: Any, b: Any, path: Path) -> Any:
    pairs = zip(a.get_weights(), b.get_weights())
    b.set_weights([0.5 * one + 0.5 * other for one, other in pairs])
    return b(ONE)


def changed_arrays(a: Any, b: Any, path: Path) -> Any:
    weights = a.get_weights()
    weights[0][0, 0] = weights[0][0, 0] + 1.0
    a.set_weights(weights)
    return a(ONE), np.mean(weights[0]), weights[0].sum()


def swapped(a: Any, b: Any, path: Path) -> Any:
    kept = a.get_weights()
    a.set_weights(b.get_weights())
    b.set_weights(kept)
    return a(ONE), b(ONE)


def in_a_loop(a: Any, b: Any, path: Path) -> Any:
    for at in rt.range(3):
        a.weights[0].assign_add([[1.0]])
        if at == 1:
            b.set_weights(a.get_weights())
    return b(ONE)


def own_variables(a: Any, b: Any, path: Path) -> Any:
    store: dict[str, Any] = {}
    a.layers[0].save_own_variables(store)
    a.weights[0].assign_add([[4.0]])
    a.layers[0].load_own_variables(store)
    return a(ONE)


def loaded(a: Any, b: Any, path: Path) -> Any:
    before = a(ONE)
    a.load_weights(path / "kept")
    return before, a(ONE)


def returned(a: Any, b: Any, path: Path) -> Any:
    return a.get_weights()


PROGRAMS = [
    given,
    given_other_kinds,
    given_tensors,
    copied,
    averaged,
    changed_arrays,
    swapped,
    in_a_loop,
    own_variables,
    loaded,
    returned,
]


def three_calls(program: Program, path: Path, wrap: Callable[..., Any]) -> list[Any]:
    a, b = model(), model()
    a.save_weights(path / "kept")

    def call() -> Any:
        a.weights[0].assign_add([[1.0]])
        return program(a, b, path)

    wrapped = wrap(call)
    return [rt.nest.map_structure(lambda leaf: np.asarray(leaf), wrapped()) for _ in range(3)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_get_and_set_weights_in_functions_agree_with_python(
    program: Program, tmp_path: Path
) -> None:
    plain = three_calls(program, tmp_path, lambda function: function)
    traced = three_calls(program, tmp_path, ag.function)
    for expected, actual in zip(plain, traced):
        rt.nest.map_structure(np.testing.assert_allclose, actual, expected)


def test_a_train_step_may_copy_weights_to_another_layer() -> None:
    class Followed(nn.Model):
        def __init__(self) -> None:
            super().__init__()
            self.own, self.target = dense(), dense()

        def call(self, x: Any) -> Any:
            return self.own(x)

        def train_step(self, data: Any) -> dict[str, Any]:
            self.own.kernel.assign_add([[1.0]])
            self.target.set_weights(self.own.get_weights())
            return {"loss": rt.reduce_sum(self.target(data[0])) / 4.0}

    made = Followed()
    made.compile("sgd", "mse")
    x = np.ones((8, 1), "float32")
    history = made.fit(x, x, batch_size=4, epochs=2, verbose=0).history
    assert ([3.0, 5.0], [[5.0]]) == (history["loss"], made.target(ONE).numpy().tolist())


def test_mismatched_weights_are_refused_in_a_function() -> None:
    layer = dense()
    with pytest.raises(ShapeError, match=r"kernel has shape \(1, 1\), and is given .*\(2, 1\)"):
        ag.function(lambda: layer.set_weights([np.ones((2, 1)), [0.0]]))()
    with pytest.raises(ArgumentValueError, match="has 2 weights .* and is given 1"):
        ag.function(lambda: layer.set_weights([np.ones((1, 1))]))()
    assert [[1.0]] == layer.kernel.numpy().tolist()


def test_the_learning_rate_is_read_in_each_call() -> None:
    optimizer = nn.optimizers.SGD(0.5)
    made: Any = SimpleNamespace(optimizer=None)

    @ag.function
    def rate() -> Any:
        optimizer.learning_rate.assign(optimizer.learning_rate * 2.0)
        if made.optimizer is None:
            made.optimizer = nn.optimizers.SGD.from_config(optimizer.get_config())
        again = nn.optimizers.SGD.from_config(optimizer.get_config())
        return optimizer.get_config()["learning_rate"], again.learning_rate * 1.0

    assert [(1.0, 1.0), (2.0, 2.0), (4.0, 4.0)] == [tuple(map(float, rate())) for _ in range(3)]
    assert 1.0 == float(made.optimizer.learning_rate)


@pytest.mark.parametrize("method", ["save_weights", "save"])
def test_writing_files_in_a_trace_is_refused(method: str, tmp_path: Path) -> None:
    written, path = model(), tmp_path / "kept"

    @ag.function
    def step() -> None:
        written.weights[0].assign_add([[1.0]])
        getattr(written, method)(path)

    with pytest.raises(FailedPreconditionError, match=f"{method} is called outside of a Function"):
        step()
    assert not path.exists()


def test_a_function_that_a_graph_calls_writes_files(tmp_path: Path) -> None:
    written, path = model(), tmp_path / "kept"

    @ag.function
    def step() -> None:
        written.weights[0].assign_add([[1.0]])
        rt.py_function(lambda: written.save_weights(path), [], [])

    step()
    step()
    read = model()
    read.load_weights(path)
    assert [[3.0]] == read.weights[0].numpy().tolist()


def test_pickling_a_variable_in_a_trace_is_refused() -> None:
    weight = dense().kernel
    with pytest.raises(FailedPreconditionError, match="pickle it outside of the function"):
        ag.function(lambda: len(pickle.dumps(weight)))()


@pytest.mark.parametrize("value", ["x", ["1"], [b"1"], [None], [[1.0], [1.0, 2.0]]])
def test_values_that_are_no_numbers_are_refused(value: Any) -> None:
    layer = dense()
    for call in (layer.set_weights, lambda values: ag.function(layer.set_weights)(values)):
        with pytest.raises((DTypeError, ShapeError)):
            call([[[7.0]], value])
    assert [[[1.0]], [0.0]] == [each.tolist() for each in layer.get_weights()]


def test_adapt_in_a_function_runs_in_each_call() -> None:
    layer = nn.layers.Normalization()
    layer.build((None, 1))

    @ag.function
    def adapted() -> Any:
        layer.adapt(np.array([[1.0], [3.0]]))
        y = layer(ONE)
        layer.adapt_mean.assign_add([7.0])
        return y

    assert [[[-1.0]], [[-1.0]]] == [adapted().numpy().tolist() for _ in range(2)]
    data = rt.Variable([[1.0], [3.0]], name="data")
    with pytest.raises(FailedPreconditionError, match="adapt is given the variable 'data'"):
        ag.function(lambda: layer.adapt(data))()
