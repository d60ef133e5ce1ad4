"""Layers, losses, metrics and models in traces: user code in them is converted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.nn import Model, Sequential
from runtime.nn.layers import Activation, Dense, Layer
from runtime.nn.losses import Loss
from runtime.nn.metrics import Mean, Metric
from runtime.nn.optimizers import SGD, Adam, Optimizer

ONES = rt.ones((2, 3))
X = np.sin(np.arange(30, dtype=np.float32)).reshape(10, 3)
TARGETS = np.ones((10, 4), np.float32)


class Signed(Layer):
    """Uses a layer it makes itself, on a path that a tensor chooses."""

    def build(self, input_shape: Any) -> None:
        self.factor = self.add_weight(name="factor", shape=input_shape[1:], initializer="ones")
        self.inner = Dense(2, kernel_initializer="ones")

    def call(self, inputs: Any) -> Any:
        if rt.reduce_sum(inputs) > 0:
            return self.inner(inputs * self.factor)
        else:
            return self.inner(-2.0 * inputs)


class Doubling(Dense):
    def call(self, inputs: Any) -> Any:
        found = super().call(inputs)
        for _ in rt.range(3):
            if rt.reduce_sum(found) < 100.0:
                found = found * 2.0
        return found


@pytest.mark.parametrize("make", [Signed, lambda: Doubling(2), lambda: Sequential([Signed()])])
@pytest.mark.parametrize("is_built", [False, True])
def test_a_call_on_tensors_is_converted_in_one_trace(make: Any, is_built: bool) -> None:
    layer = make()
    if is_built:
        layer(ONES)
    graph = ag.function(lambda x: layer(x))
    for x in (ONES, -ONES, ONES * 100.0):
        np.testing.assert_allclose(graph(x).numpy(), layer(x).numpy(), rtol=1e-6)
    assert 1 == graph.experimental_get_tracing_count()


def test_a_layer_is_a_function_itself() -> None:
    layer = Signed()
    graph = ag.function(layer)
    assert [[3.0, 3.0]] * 2 == graph(ONES).numpy().tolist()
    assert [[6.0, 6.0]] * 2 == graph(-ONES).numpy().tolist()
    assert 1 == graph.experimental_get_tracing_count()
    assert 3 == len(layer.weights)


class Halving(Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = Dense(3)
        self.asked: list[bool] = []

    @ag.function
    def call(self, inputs: Any, training: bool = False) -> Any:
        self.asked.append(training)
        if rt.reduce_mean(inputs) > 0:
            return self.dense(inputs)
        return self.dense(inputs) / 2.0


def test_a_call_that_is_a_function_is_traced_once_for_each_mode() -> None:
    model = Halving()
    for _ in range(3):
        model(ONES)
        model(-ONES, training=True)
    assert [False, True] == model.asked
    kernel = model.dense.kernel.numpy()
    np.testing.assert_allclose(-ONES.numpy() @ kernel / 2, model(-ONES).numpy(), rtol=1e-6)


class Learning(Model):
    """Trains itself by a step that is a function, and makes all it needs in the first trace."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = Dense(4, kernel_initializer="ones"), Signed()
        self.steps_of = Adam(0.1)
        self.mean = Mean()

    def call(self, inputs: Any) -> Any:
        return self.last(self.first(inputs))

    def learn(self, x: Any, y: Any) -> Any:
        with rt.GradientTape() as tape:
            loss = rt.reduce_mean(rt.square(y - self(x)))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.steps_of.apply_gradients(zip(gradients, self.trainable_variables))
        self.mean.update_state(loss)
        return loss


class LearningInGraphs(Learning):
    @ag.function
    def learn(self, x: Any, y: Any) -> Any:
        return super().learn(x, y)


def test_layers_slots_and_metrics_created_in_a_trace_are_initialized() -> None:
    eager, graph = Learning(), LearningInGraphs()
    graph(ONES)
    eager(ONES)
    eager.set_weights(graph.get_weights())
    fresh = LearningInGraphs()
    for _ in range(3):
        fresh.learn(ONES, rt.ones((2, 1)))
        expected = float(eager.learn(ONES, rt.ones((2, 1))))
        np.testing.assert_allclose(float(graph.learn(ONES, rt.ones((2, 1)))), expected, rtol=1e-5)
    for model in (graph, fresh):
        method: Any = model.learn
        assert 1 == method.experimental_get_tracing_count()
        assert 3 == int(model.steps_of.iterations)
    np.testing.assert_allclose(float(graph.mean.result()), float(eager.mean.result()), rtol=1e-5)


class Largest(Metric):
    def __init__(self) -> None:
        super().__init__(name="largest")
        self.value = self.add_weight(name="value")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        largest = rt.reduce_max(y_pred)
        if largest > self.value:
            self.value.assign(largest)

    def result(self) -> Any:
        if self.value > 100.0:
            return self.value * 0.0
        return self.value * 1.0


class Off(Loss):
    def call(self, y_true: Any, y_pred: Any) -> Any:
        far = rt.abs(y_true - y_pred)
        if rt.reduce_max(far) > 1.0:
            return rt.reduce_mean(far, axis=-1)
        return rt.reduce_mean(rt.square(far), axis=-1)


def off(y_true: Any, y_pred: Any) -> Any:
    return Off().call(y_true, y_pred) if rt.reduce_sum(y_pred) > 0.0 else rt.abs(y_true - y_pred)


def near(y_true: Any, y_pred: Any) -> Any:
    found = rt.cast(rt.abs(y_true - y_pred) < 1.0, rt.float32)
    while rt.reduce_sum(found) > 3.0:
        found = found * 0.5
    return found


class Signs(Optimizer):
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        if rt.reduce_sum(gradient) > 0.0:
            variable.assign_sub(learning_rate * rt.sign(gradient))
        else:
            variable.assign_sub(learning_rate * gradient)


def bent(x: Any) -> Any:
    return x if rt.reduce_sum(x) > 0.0 else x * 0.1


def falling(step: Any) -> Any:
    return rt.constant(0.1) if step < 2 else rt.constant(0.01)


@pytest.mark.parametrize("loss", [Off(), off])
def test_user_code_trains_in_graphs_as_in_python(loss: Any) -> None:
    weights = [np.cos(np.arange(12.0)).reshape(3, 4), np.zeros(4)]
    for make in (lambda: Signs(0.05), lambda: SGD(falling)):
        found = []
        for eagerly in (False, True):
            model = Sequential([Dense(4, activation=bent), Activation(bent)])
            model.build((None, 3))
            model.set_weights(weights)
            model.compile(make(), loss, metrics=[near, Largest()], run_eagerly=eagerly)
            options: Any = {"batch_size": 4, "epochs": 2, "shuffle": False, "verbose": 0}
            found.append(model.fit(X, TARGETS, **options).history)
            found[-1].update(zip("wb", model.get_weights()))
        for name, values in found[0].items():
            np.testing.assert_allclose(values, found[1][name], rtol=1e-5, err_msg=name)


class OwnStep(Model):
    """Has a step of its own, which counts in Python and keeps its last loss."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = Dense(4)
        self.mean = Mean(name="own")
        self.done = 0
        self.last: Any = None

    @property
    def metrics(self) -> list[Any]:
        return [self.mean]

    def call(self, inputs: Any, training: bool = False) -> Any:
        return self.dense(inputs) * 2.0 if training else self.dense(inputs)

    def train_step(self, data: Any) -> Any:
        x, y = data
        with rt.GradientTape() as tape:
            loss = rt.reduce_mean(rt.square(self(x, training=True) - y))
            if loss > 100.0:
                loss = loss * 0.5
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.mean.update_state(loss)
        self.done += 1
        self.last = loss
        return {"own": self.mean.result()}

    def test_step(self, data: Any) -> Any:
        x, y = data
        self.mean.update_state(rt.reduce_mean(rt.square(self(x) - y)))
        return {each.name: each.result() for each in self.metrics}


def test_a_custom_train_step_is_converted_and_keeps_state() -> None:
    model = OwnStep()
    model.compile("adam")
    history = model.fit(X, TARGETS, batch_size=4, epochs=2, verbose=0)
    assert ["own"] == list(history.history)
    assert 6 == model.done
    assert float(model.last) > 0.0
    expected = np.mean([np.mean((model(x).numpy() - 1) ** 2) for x in (X[:5], X[5:])])
    found = model.evaluate(X, TARGETS, batch_size=5, verbose=0)
    np.testing.assert_allclose(expected, found, rtol=1e-5)


def test_a_step_that_is_a_function_is_one_graph() -> None:
    class Plain(Sequential):
        traced = 0

        @ag.function
        def train_step(self, data: Any) -> Any:
            type(self).traced += 1
            return super().train_step(data)

    model = Plain([Dense(4)])
    model.compile("sgd", "mse")
    model.fit(X, TARGETS, batch_size=4, epochs=3, verbose=0)
    assert 1 == Plain.traced


def test_python_runs_once_for_all_batches_and_epochs() -> None:
    class Telling(Layer):
        told: list[Any] = []

        def call(self, inputs: Any) -> Any:
            self.told.append(tuple(inputs.shape.dims))
            return inputs

    model = Sequential([Telling(), Dense(4)])
    model.compile("adam", "mse", metrics=["mse"])
    model.fit(X, TARGETS, batch_size=4, epochs=2, verbose=0)
    model.fit(X[:7], TARGETS[:7], batch_size=3, epochs=2, verbose=0)
    assert [(None, 3)] == Telling.told


def test_layers_and_variables_created_in_a_call() -> None:
    class Late(Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense: Any = None
            self.shift: Any = None

        def call(self, inputs: Any) -> Any:
            if self.dense is None:
                self.dense = Dense(4)
                self.shift = rt.Variable(rt.zeros(4))
            return self.dense(inputs) + self.shift

    model = Late()
    model.compile("sgd", "mse")
    losses = model.fit(X, TARGETS, batch_size=4, epochs=4, verbose=0).history["loss"]
    assert losses == sorted(losses, reverse=True)
    assert 3 == len(model.trainable_weights)
    assert (model.shift.numpy() != 0).all()


def test_parts_of_a_step_may_be_overridden() -> None:
    class Own(Sequential):
        def compute_loss(
            self,
            x: Any = None,
            y: Any = None,
            y_pred: Any = None,
            sample_weight: Any = None,
            training: bool = True,
        ) -> Any:
            loss = super().compute_loss(x, y, y_pred, sample_weight, training)
            if loss > 0.0:
                loss = loss * 2.0
            return loss

        def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
            found = super().compute_metrics(x, y, y_pred, sample_weight)
            found["half"] = found["loss"] / 2.0 if rt.reduce_sum(x) < 100.0 else found["loss"]
            return found

        def predict_step(self, data: Any) -> Any:
            found = super().predict_step(data)
            for _ in rt.range(2):
                found = found + 1.0
            return found

    model = Own([Dense(4, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    for steps in (model.evaluate, model.fit):
        expected = np.mean((model(X).numpy() - 1.0) ** 2)
        found = steps(X, TARGETS, verbose=0)
        logs = dict(zip(("loss", "half"), found)) if steps == model.evaluate else found.history
        np.testing.assert_allclose(np.ravel(logs["half"]), expected, rtol=1e-5)
        np.testing.assert_allclose(np.ravel(logs["loss"]), 2 * expected, rtol=1e-5)
    np.testing.assert_allclose(model(X).numpy() + 2.0, model.predict(X, verbose=0), rtol=1e-6)
