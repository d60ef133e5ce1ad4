"""`fit`, `evaluate` and `predict` agree with Keras 3 (TensorFlow 2.21).

Recorded with the data and weights below: SGD or Adam, no shuffling, batches of 4 of 10 items, so
that the last batch is a smaller one. Every case runs as graphs and by Python alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf

keras = tf.keras
X = np.sin(np.arange(30, dtype=np.float32)).reshape(10, 3)
Y = np.arange(10) % 4
NUMBERS = np.cos(np.arange(10, dtype=np.float32))[:, None]
CROSS_ENTROPY = "sparse_categorical_crossentropy"
WEIGHTS = np.linspace(0.5, 2, 10).astype("float32")
FIFTH, SEVENTH, THIRD = 0.20000000298023224, 0.1428571492433548, 0.3333333432674408

pytestmark = pytest.mark.parametrize("eagerly", [False, True])


def set_weights(model: Any) -> None:
    values = enumerate(model.get_weights())
    model.set_weights(
        [(np.cos(np.arange(v.size) * 0.7 + k) * 0.5).reshape(v.shape) for k, v in values]
    )


def sequence() -> Any:
    layers = [keras.layers.Dense(5, activation="tanh"), keras.layers.Dense(4, "softmax")]
    model = keras.Sequential(layers)
    model.build((None, 3))
    set_weights(model)
    return model


def two_headed(as_dict: bool) -> Any:
    x = keras.Input((3,), name="inp")
    hidden = keras.layers.Dense(5, activation="tanh", name="h")(x)
    a = keras.layers.Dense(4, activation="softmax", name="a")(hidden)
    b = keras.layers.Dense(1, name="b")(hidden)
    model = keras.Model(x, {"a": a, "b": b} if as_dict else [a, b])
    set_weights(model)
    return model


def assert_close(expected: dict[str, list[float]], found: dict[str, list[float]]) -> None:
    assert list(expected) == list(found)
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=2e-6, err_msg=name)


def traces(model: Any) -> list[int]:
    """Return how often each of the steps was traced."""
    return [each.experimental_get_tracing_count() for each in model._training_state.steps.known]


def test_a_fit_without_shuffling(eagerly: bool) -> None:
    model = sequence()
    model.compile("sgd", CROSS_ENTROPY, metrics=["accuracy"], run_eagerly=eagerly)
    history = model.fit(X, Y, batch_size=4, epochs=2, shuffle=False, verbose=0)
    losses = [1.4903634786605835, 1.482921838760376]
    assert_close({"accuracy": [FIFTH, FIFTH], "loss": losses}, history.history)
    bias = [-0.48548272252082825, -0.4151211678981781, -0.15884356200695038, 0.17572368681430817]
    np.testing.assert_allclose(model.get_weights()[3], bias, rtol=2e-6)
    found = model.evaluate(X, Y, batch_size=4, verbose=0)
    np.testing.assert_allclose(found, [1.4772100448608398, FIFTH], rtol=2e-6)
    assert found == list(model.evaluate(X, Y, 4, verbose=0, return_dict=True).values())[::-1]
    predicted = model.predict(X[:2], verbose=0)
    expected = [
        [0.1833818107843399, 0.18851298093795776, 0.2507868707180023, 0.3773183524608612],
        [0.17274940013885498, 0.18518520891666412, 0.2536097466945648, 0.38845568895339966],
    ]
    np.testing.assert_allclose(predicted, expected, rtol=2e-6)
    assert [] == traces(model) if eagerly else [1, 1, 1] == traces(model)


def test_sample_weights_and_a_validation_split(eagerly: bool) -> None:
    model = sequence()
    metrics: Any = {"metrics": ["acc"], "weighted_metrics": ["accuracy"]}
    model.compile("adam", CROSS_ENTROPY, run_eagerly=eagerly, **metrics)
    options: Any = {"batch_size": 4, "epochs": 2, "shuffle": False, "verbose": 0}
    history = model.fit(X, Y, sample_weight=WEIGHTS, validation_split=0.3, **options)
    expected = {
        "acc": [SEVENTH, SEVENTH],
        "accuracy": [SEVENTH, SEVENTH],
        "loss": [1.4907147884368896, 1.4870555400848389],
        "val_acc": [THIRD, THIRD],
        "val_accuracy": [0.3030302822589874, 0.3030302822589874],
        "val_loss": [2.7001380920410156, 2.6946089267730713],
    }
    assert_close(expected, history.history)


def test_class_weights_and_validation_data(eagerly: bool) -> None:
    model = sequence()
    model.compile("adam", CROSS_ENTROPY, weighted_metrics=["accuracy"], run_eagerly=eagerly)
    options: Any = {"batch_size": 4, "epochs": 2, "shuffle": False, "verbose": 0}
    counted = {0: 1.0, 1: 2.0, 2: 0.5, 3: 0.0}
    history = model.fit(X, Y, class_weight=counted, validation_data=(X[:3], Y[:3]), **options)
    expected = {
        "accuracy": [0.0, 0.0],
        "loss": [1.6776134967803955, 1.6668646335601807],
        "val_accuracy": [0.0, 0.0],
        "val_loss": [1.6001447439193726, 1.5929945707321167],
    }
    assert_close(expected, history.history)


def test_accuracy_is_chosen_by_shapes(eagerly: bool) -> None:
    model = sequence()
    optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
    model.compile(optimizer, "mse", metrics=["mae", "accuracy"], run_eagerly=eagerly)
    options: Any = {"epochs": 2, "shuffle": False, "verbose": 0}
    history = model.fit(X, np.eye(4)[Y], batch_size=3, **options)
    expected = {
        "accuracy": [FIFTH, FIFTH],
        "loss": [0.2009364366531372, 0.19672687351703644],
        "mae": [0.38126376271247864, 0.3792564570903778],
    }
    assert_close(expected, history.history)
    model = keras.Sequential([keras.layers.Dense(5, "tanh"), keras.layers.Dense(1, "sigmoid")])
    model.build((None, 3))
    set_weights(model)
    model.compile("sgd", "bce", metrics=["accuracy"], run_eagerly=eagerly)
    weighted: Any = {"sample_weight": WEIGHTS, **options}
    history = model.fit(X, (Y % 2)[:, None], batch_size=4, **weighted)
    losses = [1.0658371448516846, 1.0542525053024292]
    assert_close({"accuracy": [FIFTH, FIFTH], "loss": losses}, history.history)


# With batches of 5: of smaller last batches Keras counts the losses of outputs as of whole ones.
def test_two_outputs_with_separate_losses(eagerly: bool) -> None:
    model = two_headed(as_dict=False)
    model.compile(
        "sgd",
        loss=[CROSS_ENTROPY, "mse"],
        metrics=[["accuracy"], ["mse"]],
        loss_weights=[1.0, 0.5],
        run_eagerly=eagerly,
    )
    history = model.fit(X, [Y, NUMBERS], batch_size=5, epochs=2, shuffle=False, verbose=0)
    expected = {
        "a_accuracy": [FIFTH, FIFTH],
        "a_loss": [1.491125464439392, 1.4864237308502197],
        "b_loss": [0.7785578966140747, 0.7593533396720886],
        "b_mse": [0.7785578966140747, 0.7593533396720886],
        "loss": [1.8804042339324951, 1.8661003112792969],
    }
    assert_close(expected, history.history)
    found = model.evaluate(X, [Y, NUMBERS], batch_size=5, verbose=0)
    order = [1.8554588556289673, 1.4826387166976929, 0.7456398606300354, FIFTH, 0.7456398010253906]
    np.testing.assert_allclose(found, order, rtol=2e-6)


def test_two_outputs_by_names(eagerly: bool) -> None:
    model = two_headed(as_dict=True)
    losses = {"a": CROSS_ENTROPY, "b": "mse"}
    model.compile("sgd", loss=losses, run_eagerly=eagerly)
    options: Any = {"epochs": 2, "shuffle": False, "verbose": 0}
    history = model.fit(X, {"a": Y, "b": NUMBERS}, batch_size=5, **options)
    expected = {
        "a_loss": [1.4910606145858765, 1.4859352111816406],
        "b_loss": [0.774206280708313, 0.7384577989578247],
        "loss": [2.2652668952941895, 2.224393129348755],
    }
    assert_close(expected, history.history)
    found = {name: value.shape for name, value in model.predict(X, verbose=0).items()}
    assert {"a": (10, 4), "b": (10, 1)} == found


def test_the_total_loss_weighs_batches_by_their_size(eagerly: bool) -> None:
    model = two_headed(as_dict=True)
    model.compile("sgd", loss={"a": CROSS_ENTROPY, "b": "mse"}, run_eagerly=eagerly)
    options: Any = {"epochs": 2, "shuffle": False, "verbose": 0}
    logs = model.fit(X, {"a": Y, "b": NUMBERS}, batch_size=4, **options).history
    np.testing.assert_allclose(logs["loss"], [2.263338565826416, 2.2129242420196533], rtol=2e-6)
    np.testing.assert_allclose(np.add(logs["a_loss"], logs["b_loss"]), logs["loss"], rtol=2e-6)


class Activity(keras.layers.Layer):  # type: ignore[misc, name-defined]
    def call(self, inputs: Any) -> Any:
        size = tf.cast(tf.shape(inputs)[0], tf.float32)
        self.add_loss(0.1 * tf.reduce_sum(tf.square(inputs)) / size)
        return inputs


def test_regularizers_and_add_loss_add_to_the_loss(eagerly: bool) -> None:
    first = keras.layers.Dense(5, activation="tanh", kernel_regularizer="l2")
    model = keras.Sequential([first, Activity(), keras.layers.Dense(4, "softmax")])
    model.build((None, 3))
    set_weights(model)
    model.compile("sgd", CROSS_ENTROPY, run_eagerly=eagerly)
    history = model.fit(X, Y, batch_size=4, epochs=2, shuffle=False, verbose=0)
    # keras.layers.ActivityRegularization(l2=0.1) in the place of Activity
    assert_close({"loss": [1.574811339378357, 1.5665754079818726]}, history.history)


def test_steps_per_epoch_continue_the_dataset(eagerly: bool) -> None:
    model = sequence()
    model.compile("sgd", CROSS_ENTROPY, run_eagerly=eagerly)
    rows = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    with pytest.warns(UserWarning, match="ended after 1 of 2 steps"):
        history = model.fit(rows, epochs=3, steps_per_epoch=2, verbose=0)
    losses = [1.4353947639465332, 1.7102385759353638, 1.4300806522369385]
    assert_close({"loss": losses}, history.history)
    again = model.fit(rows.repeat(), epochs=3, steps_per_epoch=2, verbose=0, initial_epoch=1)
    assert_close({"loss": [1.427607536315918, 1.5128774642944336]}, again.history)
    assert [1, 2] == again.epoch
    assert {"epochs": 3, "steps": 2, "verbose": 0} == again.params


def test_a_generator_and_a_sequence_of_batches(eagerly: bool) -> None:
    def batches() -> Iterator[Any]:
        for start in range(0, 10, 4):
            yield X[start : start + 4], Y[start : start + 4]

    class Batches:
        def __len__(self) -> int:
            return 3

        def __getitem__(self, at: int) -> Any:
            return X[at * 4 : at * 4 + 4], Y[at * 4 : at * 4 + 4]

    for data in (batches(), Batches()):
        model = sequence()
        model.compile("sgd", CROSS_ENTROPY, run_eagerly=eagerly)
        history = model.fit(data, epochs=1, verbose=0)
        assert_close({"loss": [1.4903634786605835]}, history.history)
        assert [] == traces(model) if eagerly else [1] == traces(model)


def test_train_on_batch_counts_each_batch_alone(eagerly: bool) -> None:
    model = sequence()
    model.compile("sgd", CROSS_ENTROPY, run_eagerly=eagerly)
    expected = [1.4919899702072144, 1.4898395538330078, 1.487707257270813]
    np.testing.assert_allclose([model.train_on_batch(X, Y) for _ in range(3)], expected, rtol=2e-6)
    assert model.test_on_batch(X, Y) == model.evaluate(X, Y, verbose=0)
    np.testing.assert_array_equal(model.predict(X, verbose=0), model.predict_on_batch(X))


def test_steps_per_execution_do_not_change_training(eagerly: bool) -> None:
    model = sequence()
    options: Any = {"steps_per_execution": 2, "run_eagerly": eagerly}
    model.compile("sgd", CROSS_ENTROPY, **options)
    seen: list[int] = []
    told = keras.callbacks.LambdaCallback(on_train_batch_end=lambda at, logs: seen.append(at))
    history = model.fit(X, Y, batch_size=4, shuffle=False, verbose=0, callbacks=[told])
    assert_close({"loss": [1.4903634786605835]}, history.history)
    assert [1, 2] == seen
