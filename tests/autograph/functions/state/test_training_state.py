"""Python state of layers, losses, metrics and steps in `fit`, `evaluate` and `predict`.

Each program is run by Python alone (`run_eagerly`) and as graphs; what comes out, and what the
objects hold in the end, must be the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.compat import tensorflow as tf
from tests.autograph.functions.state import network_state_scenarios, network_step_scenarios
from tests.autograph.functions.state.network_state_scenarios import (
    ConstantAtFirst,
    Held,
    Program,
    X,
    Y,
    compiled,
    nested_losses,
)
from tests.autograph.functions.state.network_step_scenarios import (
    Accumulating,
    Growing,
    counted_in_a_closure,
)
from tests.suite_length import sample

keras = tf.keras
PROGRAMS = network_state_scenarios.PROGRAMS | network_step_scenarios.PROGRAMS


class Watching(keras.callbacks.Callback):
    """Takes down the logs and the objects' state after each batch and epoch."""

    def __init__(self, held: Held) -> None:
        super().__init__()
        self.held, self.seen = held, []

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.seen.append(plain((logs, self.held())))

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.seen.append(plain((logs, self.held())))


def plain(value: Any) -> Any:
    """Return the numbers of a structure, in order."""
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if isinstance(value, (str, bool, type(None))) else np.asarray(value).tolist()


def outcome(program: Program, eagerly: bool) -> list[Any]:
    keras.utils.set_random_seed(7)
    model, held = program(eagerly)
    watching = Watching(held)
    options = {"batch_size": 3, "verbose": 0}
    targets: Any = [Y, Y] if program is nested_losses else Y
    history = model.fit(X, targets, epochs=3, shuffle=False, callbacks=[watching], **options)
    found = [history.history, watching.seen]
    if not isinstance(model, Accumulating):
        found.append(model.evaluate(X, targets, **options))
    found += [held(), model.predict(X, **options), held(), model.train_on_batch(X, targets)]
    found += [held(), model.predict_on_batch(X), held(), model.get_weights()]
    return plain(found)


def assert_same(expected: Any, found: Any, where: str = "") -> None:
    assert type(expected) is type(found) or not isinstance(expected, list), (where, expected, found)
    if isinstance(expected, list):
        assert len(expected) == len(found), where
        for at, pair in enumerate(zip(expected, found)):
            assert_same(*pair, f"{where}[{at}]")
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6, err_msg=where)
    else:
        assert expected == found, where


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize("name", sample([*PROGRAMS], 8))
def test_state_in_training_agrees_with_python(name: str) -> None:
    assert_same(outcome(PROGRAMS[name], eagerly=True), outcome(PROGRAMS[name], eagerly=False))


def test_a_layer_in_a_model_of_ours_keeps_its_state_in_a_function() -> None:
    for make in (lambda layer: keras.Sequential([layer]), keras.layers.TimeDistributed):
        layer = Growing()
        model = make(layer)
        graph = ag.function(lambda x, model=model: model(x))
        ones = tf.ones((1, 2, 2))
        first = layer.calls
        assert [1.0, 2.0, 3.0] == [float(graph(ones)[0, 0, 0]) - first for _ in range(3)]
        assert first + 3 == layer.calls


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_loss_that_is_a_number_of_pythons_at_first_is_evaluated(eagerly: bool) -> None:
    x, y = np.ones((8, 2), np.float32), np.arange(8, dtype=np.float32)[:, None]
    loss = ConstantAtFirst()
    model = compiled(loss=loss, eagerly=eagerly)
    # Squares of 2 - y, of items 4 to 7; the first four are in batches that count nothing.
    assert (4 + 9 + 16 + 25) / 8 == model.evaluate(x, y, batch_size=2, verbose=0)
    assert 4 == loss.steps


@pytest.mark.parametrize("eagerly", [False, True])
def test_state_read_by_a_callback_is_updated_in_each_step(eagerly: bool) -> None:
    model, held = counted_in_a_closure(eagerly)
    watching = Watching(held)
    model.fit(X, Y, batch_size=3, epochs=2, callbacks=[watching], verbose=0)
    assert [1, 2, 3, 4, 4, 5, 6, 7, 8, 8] == [calls for _, calls in watching.seen]


# -- values that steps only read -------------------------------------------------------------------


class Weighted(keras.losses.Loss):
    def __init__(self) -> None:
        super().__init__()
        self.weight, self.options = 1.0, {"power": 2}

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return self.weight * tf.reduce_mean(tf.abs(y_true - y_pred) ** self.options["power"])


class Over(keras.metrics.Metric):
    """Counts errors over a limit, which it only reads."""

    def __init__(self) -> None:
        super().__init__(name="over")
        self.limit, self.count = 0.1, self.add_weight(name="count")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        error = tf.cast(tf.abs(y_true - y_pred) > self.limit, tf.float32)
        self.count.assign_add(tf.reduce_sum(error))

    def result(self) -> Any:
        return self.count

    def reset_state(self) -> None:
        self.count.assign(0.0)


class Scaled(keras.layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.scale, self.is_on = 1.0, True

    def call(self, inputs: Any) -> Any:
        return inputs * self.scale if self.is_on else inputs


CHANGES: dict[str, Callable[[Any, int], None]] = {
    "weight": lambda model, at: setattr(model.loss, "weight", 1.0 + at),
    "option": lambda model, at: model.loss.options.update(power=1 + at % 2),
    "limit": lambda model, at: setattr(model.own_metric, "limit", 0.2 * at),
    "scale": lambda model, at: setattr(model.layers[0], "scale", 0.5 * at),
    "flag": lambda model, at: setattr(model.layers[0], "is_on", at % 2 == 0),
    "loss": lambda model, at: setattr(model.loss, "call", Weighted.call.__get__(Weighted())),
}


def changing(eagerly: bool) -> Any:
    model = compiled(Scaled(), loss=Weighted(), metrics=[], eagerly=eagerly)
    model.own_metric = Over()
    options: Any = {"metrics": [model.own_metric], "run_eagerly": eagerly}
    model.compile(keras.optimizers.SGD(0.05), model.loss, **options)
    return model


@pytest.mark.parametrize(
    "name, when", sample([*itertools.product(CHANGES, ("epoch", "batch", "call"))], 5)
)
def test_steps_read_the_current_state(name: str, when: str) -> None:
    def outcome(eagerly: bool) -> Any:
        model, change = changing(eagerly), CHANGES[name]
        options: Any = {"batch_size": 5, "verbose": 0}
        told = keras.callbacks.Callback()
        if when != "call":
            names = {"epoch": "on_epoch_begin", "batch": "on_train_batch_begin"}
            given = {names[when]: lambda at, logs: change(model, at)}
            told = keras.callbacks.LambdaCallback(**given)
        found = []
        for at in range(3):
            if when == "call":
                change(model, at)
            history = model.fit(X, Y, epochs=2, shuffle=False, callbacks=[told], **options)
            found += [history.history, model.evaluate(X, Y, **options), model.predict(X, **options)]
            found += [model.train_on_batch(X, Y), model.predict_on_batch(X)]
        return plain(found)

    assert_same(outcome(eagerly=True), outcome(eagerly=False))


def test_a_step_is_traced_again_only_after_a_change_of_state() -> None:
    traced = []

    class Telling(Scaled):
        def call(self, inputs: Any) -> Any:
            traced.append(self.scale)
            return super().call(inputs)

    model = compiled(Telling())
    for scale in (1.0, 1.0, 2.0, 2.0):
        model.layers[0].scale = scale
        model.fit(X, Y, epochs=3, batch_size=5, verbose=0)
    assert [1.0, 2.0] == traced


# -- attributes that the user gives to objects of the library --------------------------------------

GIVEN_TO: dict[str, Callable[[], Any]] = {
    "model": lambda: keras.Sequential([keras.layers.Dense(1)]),
    "layer": lambda: keras.layers.Dense(1),
    "optimizer": lambda: keras.optimizers.SGD(0.1),
    "loss": lambda: keras.losses.MeanSquaredError(),
    "metric": lambda: keras.metrics.Mean(),
    "module": lambda: tf.Module(),
    "variable": lambda: tf.Variable(1.0),
}


@pytest.mark.parametrize("kind", GIVEN_TO)
def test_attributes_added_to_library_objects_are_state(kind: str) -> None:
    given = GIVEN_TO[kind]()
    given.count, given.seen, given.best = 0, [], None

    @ag.function
    def step(x: Any) -> Any:
        given.count += 1
        given.seen.append(x)
        if given.best is None or x > given.best:
            given.best = x
        given.last = x * 2.0
        return given.best + given.count + len(given.seen) + given.last

    assert [5.0, 19.0, 17.0] == [float(step(tf.constant(x))) for x in (1.0, 5.0, 3.0)]
    assert (3, 5.0, 6.0) == (given.count, float(given.best), float(given.last))
    assert [1.0, 5.0, 3.0] == [float(x) for x in given.seen]


@pytest.mark.parametrize("kind", GIVEN_TO)
def test_attributes_added_to_library_objects_are_guarded(kind: str) -> None:
    given = GIVEN_TO[kind]()
    given.rate = 2.0
    scaled = ag.function(guards="retrace")(lambda x: x * given.rate)
    found = [float(scaled(tf.constant(1.0)))]
    given.rate = 3.0
    assert [2.0, 3.0] == [*found, float(scaled(tf.constant(1.0)))]


def test_training_reads_attributes_added_to_models_and_layers() -> None:
    model = keras.Sequential([keras.layers.Dense(1), keras.layers.Dense(1)])
    model.weight = model.layers[0].weight = 0.0

    def loss(y_true: Any, y_pred: Any) -> Any:
        weight = model.weight + model.layers[0].weight
        return tf.reduce_mean(y_true**2 + 0.0 * y_pred) * weight

    model.compile("sgd", loss)
    losses = []
    for at_model, at_layer in ((0.0, 0.0), (1.0, 0.0), (1.0, 2.0)):
        model.weight, model.layers[0].weight = at_model, at_layer
        losses += model.fit(X, Y, batch_size=10, verbose=0).history["loss"]
    np.testing.assert_allclose(np.multiply([0, 1, 3], np.mean(Y**2)), losses, rtol=1e-6)


def _counting() -> tuple[Any, Callable[[], int]]:
    calls = 0

    class Counting(keras.layers.Layer):  # type: ignore[misc, name-defined]
        def call(self, inputs: Any) -> Any:
            nonlocal calls
            calls += 1
            return inputs

    return Counting(), lambda: calls


class _Asking(keras.callbacks.Callback):
    def __init__(self, told: Callable[[], int]) -> None:
        super().__init__()
        self.told, self.seen = told, list[int]()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.seen.append(self.told())


def _with_a_function(told: Callable[[], int]) -> tuple[Any, list[int]]:
    seen: list[int] = []
    return keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: seen.append(told())
    ), seen


def _with_a_class(told: Callable[[], int]) -> tuple[Any, list[int]]:
    asking = _Asking(told)
    return asking, asking.seen


@pytest.mark.parametrize("made", [_with_a_function, _with_a_class])
def test_a_later_callback_that_reads_a_counter_sees_each_batch(made: Any) -> None:
    layer, calls = _counting()
    model = keras.Sequential([layer, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(X, Y, batch_size=5, verbose=0)
    callback, seen = made(calls)
    first = calls()
    model.fit(X, Y, batch_size=5, epochs=2, verbose=0, callbacks=[callback])
    assert [first + 1, first + 2, first + 3, first + 4] == seen


def test_a_later_callback_that_reads_no_state_does_not_retrace() -> None:
    layer, calls = _counting()
    model = keras.Sequential([layer, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(X, Y, batch_size=5, verbose=0)
    first, seen = calls(), []
    callback = keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: seen.append(1))
    model.fit(X, Y, batch_size=5, verbose=0, callbacks=[callback])
    assert (first, [1, 1]) == (calls(), seen)
