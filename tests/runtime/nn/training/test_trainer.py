"""Refusals and messages of `compile`, `fit` and the other methods."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, OpError, ShapeError
from runtime.nn import Input, Model, Sequential
from runtime.nn.layers import Dense

X = np.sin(np.arange(30, dtype=np.float32)).reshape(10, 3)
Y = np.cos(np.arange(20, dtype=np.float32)).reshape(10, 2)


def model(**options: Any) -> Any:
    made = Sequential([Dense(2, name="only")], name="seq")
    made.compile(**{"optimizer": "sgd", "loss": "mse", **options})
    return made


def silent(made: Any, x: Any = X, y: Any = Y, **options: Any) -> Any:
    return made.fit(x, y, verbose=0, **options)


REFUSED: list[tuple[Any, str]] = [
    (lambda: silent(Sequential([Dense(2)])), "does not know how to train: write model.compile"),
    (lambda: Sequential([Dense(2)]).evaluate(X, Y), "does not know how to train"),
    (lambda: model(optimizer="sdg"), "there is no optimizer 'sdg': did you mean 'sgd'"),
    (lambda: model(optimizer=3), "3 is not an optimizer"),
    (lambda: model(loss="mean_sqared_error"), "did you mean 'mean_squared_error'"),
    (lambda: model(steps_per_execution=0), "steps_per_execution must be a whole number"),
    (lambda: silent(model(metrics=["no_such"])), "there is no metric 'no_such'"),
    (lambda: silent(model(loss=["mse", "mse"])), "loss has 2 parts, and the model 1 outputs"),
    (lambda: silent(model(loss={"other": "mse"})), "loss names the output 'other'"),
    (lambda: model(run_eagerly="no"), "run_eagerly must be True or False, not 'no'"),
    (lambda: silent(model(), shuffle="rows"), "shuffle must be True or False, not 'rows'"),
    (lambda: silent(model(), initial_epoch=1.5), "initial_epoch must be an int, not 1.5"),
    (lambda: silent(model(), validation_split="half"), "validation_split must be a number"),
    (
        lambda: silent(model(), validation_data=(X, Y), validation_freq="often"),
        "validation_freq must be a number of epochs or a list of epochs, not 'often'",
    ),
    (lambda: model().evaluate(X, Y, return_dict="all"), "return_dict must be True or False"),
    (lambda: model().train_on_batch(X, Y, {}), "a part of the batch is empty"),
    (lambda: model().train_on_batch(None, Y), "there is no data: x is None"),
    (lambda: model().get_layer(index=0.5), "index must be an int"),
    (lambda: model().get_layer("olny"), "no layer named 'olny'; did you mean 'only'"),
    (
        lambda: rt.nn.optimizers.SGD().apply_gradients([1.0]),
        r"write optimizer.apply_gradients\(zip",
    ),
    (lambda: model().summary(print_fn=3), "print_fn must be a function, not 3"),
    (lambda: model().save(3), "filepath must be a path, not 3"),
    (lambda: model().load_weights(3), "filepath must be a path, not 3"),
    (lambda: model().build("shape"), "the shape of inputs must be a list, not 'shape'"),
    (lambda: silent(model(loss=None)), "has no loss: it is compiled without one"),
    (lambda: silent(model(), y=None), "has no loss: no y is given"),
    (lambda: silent(model(), y=np.ones((10, 7))), "compares tensors of one shape"),
    (lambda: silent(model(), x={"a": X}), "takes one tensor and is given a dict"),
    (lambda: silent(model(), epochs=1.5), "epochs must be a whole number, not 1.5"),
    (lambda: silent(model(), validation_split=1.5), "validation_split must be between 0 and 1"),
    (lambda: silent(model(), validation_split=0.999), "leaves nothing on one side"),
    (lambda: silent(model(), validation_data=()), "validation_data must be x, .* not a tuple of 0"),
    (lambda: silent(model(), validation_data=(X, Y), validation_freq=0), "validation_freq must be"),
    (
        lambda: silent(model(), steps_per_epoch=0),
        "steps of an epoch must be a whole number above 0",
    ),
    (
        lambda: silent(model(), rt.data.Dataset.from_tensors((X, Y)).repeat(), None),
        "the Dataset is infinite",
    ),
    (
        lambda: silent(model(), rt.data.Dataset.from_tensors((X, Y)).take(0), None),
        "x has no batches",
    ),
    (
        lambda: silent(model(), rt.data.Dataset.from_tensors((X, Y)), None, validation_split=0.5),
        "validation_split needs arrays",
    ),
]


@pytest.mark.parametrize(("wrong", "words"), REFUSED)
def test_invalid_training_arguments_are_refused_in_one_line(wrong: Any, words: str) -> None:
    with pytest.raises((ArgumentValueError, DTypeError, ShapeError), match=words) as raised:
        wrong()
    assert isinstance(raised.value, OpError)
    assert "\n" not in raised.value.message


def test_jit_compile_warns() -> None:
    with pytest.warns(UserWarning, match="jit_compile=True says nothing here"):
        model(jit_compile=True)


def test_metrics_have_names_and_are_reset() -> None:
    made = model(metrics=["mse", rt.nn.metrics.Mean])
    assert ["loss", "compile_metrics"] == made.metrics_names
    made = model(metrics=["mse"])
    silent(made)
    assert ["loss", "compile_metrics"] == made.metrics_names
    assert made.get_metrics_result()["mse"] > 0
    made.reset_metrics()
    assert {"loss": 0.0, "mse": 0.0} == {k: float(v) for k, v in made.get_metrics_result().items()}


@pytest.mark.parametrize("run_eagerly", [False, True])
def test_a_custom_step_updates_all_metrics_from_the_first_batch_on(
    run_eagerly: bool,
) -> None:
    class Counting(rt.nn.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense = rt.nn.layers.Dense(1, kernel_initializer="zeros")

        def call(self, inputs: Any) -> Any:
            return self.dense(inputs)

        def train_step(self, data: Any) -> Any:
            x, y = data
            y_pred = self(x)
            for each in self.metrics:
                if each.name == "loss":
                    each.update_state(self.compute_loss(y=y, y_pred=y_pred))
                else:
                    each.update_state(y, y_pred)
            return {each.name: each.result() for each in self.metrics}

    made = Counting()
    made.compile("sgd", "mse", metrics=["mae", "mse"], run_eagerly=run_eagerly)
    x, y = np.ones((4, 1), np.float32), np.full((4, 1), 2.0, np.float32)
    logs = made.fit(x, y, epochs=2, batch_size=2, verbose=0).history
    assert {"loss": [4.0, 4.0], "mae": [2.0, 2.0], "mse": [4.0, 4.0]} == logs
    assert ["loss", "compile_metrics"] == made.metrics_names


def test_a_weighted_metric_of_a_taken_name_is_prefixed() -> None:
    made = model(metrics=["mse"], weighted_metrics=["mse"])
    logs = silent(made, sample_weight=np.arange(10.0)).history
    assert ["loss", "mse", "weighted_mse"] == sorted(logs)
    assert logs["mse"] != logs["weighted_mse"]


def test_an_optimizer_may_be_set_later() -> None:
    made = model()
    silent(made)
    made.optimizer = rt.nn.optimizers.SGD(0.0)
    before = made.get_weights()
    silent(made)
    for expected, found in zip(before, made.get_weights()):
        np.testing.assert_array_equal(expected, found)


def test_frozen_weights_are_unchanged() -> None:
    made = Sequential([Dense(4), Dense(2)])
    made.compile("sgd", "mse")
    silent(made)
    before = made.get_weights()
    made.layers[0].trainable = False
    silent(made)
    same = [np.array_equal(old, new) for old, new in zip(before, made.get_weights())]
    assert [True, True, False, False] == same


def test_a_prediction_has_the_structure_of_the_outputs() -> None:
    x = Input((3,))
    made = Model(x, {"a": Dense(2)(x), "b": [x, x[:, 0]]})
    found = made.predict(X, batch_size=4, verbose=0)
    assert [(10, 2), (10, 3), (10,)] == [each.shape for each in rt.nest.flatten(found)]
    np.testing.assert_array_equal(X, found["b"][0])
    assert (8, 2) == made.predict(X, batch_size=4, steps=2, verbose=0)["a"].shape
    np.testing.assert_array_equal(found["a"], made.predict_on_batch(X)["a"])


def test_layers_added_after_a_training_are_trained() -> None:
    made = model()
    silent(made)
    made.add(Dense(1))
    # As in Keras, the optimizer is of the weights it was built with.
    with pytest.raises(ArgumentValueError, match="sgd.* was not built with .*kernel"):
        silent(made, y=Y[:, :1])
    made.compile("sgd", "mse")
    silent(made, y=Y[:, :1])
    assert ((10, 1), 4) == (made.predict(X, verbose=0).shape, len(made.weights))
    made.pop()
    silent(made)
    assert (10, 2) == made.predict(X, verbose=0).shape


def test_a_metric_may_return_several_numbers() -> None:
    class Both(rt.nn.metrics.Mean):
        def result(self) -> Any:
            return {"once": self.count * 1.0, "twice": self.count * 2.0}

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
            super().update_state(y_pred[:, 0])

    logs = silent(model(metrics=[Both()]), batch_size=4).history
    assert (["loss", "once", "twice"], [10.0], [20.0]) == (
        list(logs),
        logs["once"],
        logs["twice"],
    )


def test_a_model_without_trainable_weights_warns() -> None:
    x = Input((3,))
    made = Model(x, x * 2.0)
    made.compile("sgd", "mse")
    with pytest.warns(UserWarning, match="has no trainable weights"):
        silent(made, y=X)


def test_single_batches_are_checked() -> None:
    with pytest.raises(ShapeError, match="not 10 in x, 3 in y"):
        model().train_on_batch(X, Y[:3])


def test_training_in_a_graph_is_refused() -> None:
    made = model()
    graph = rt.Graph("around")
    for method in ("fit", "evaluate", "predict"):
        with graph.recording(), pytest.raises(ArgumentValueError, match=f"{method} makes its own"):
            getattr(made, method)(X, verbose=0)


def test_outputs_without_an_axis_of_items_are_not_joined() -> None:
    x = Input((3,))
    with pytest.raises(ShapeError, match="use predict_on_batch"):
        Model(x, rt.reduce_sum(x)).predict(X, verbose=0)


def test_a_failed_first_batch_leaves_metrics_unbuilt() -> None:
    made = model(loss={"only": "mse"}, metrics=["mse", lambda y_true, y_pred: 1 / 0])
    with pytest.raises(ZeroDivisionError):
        silent(made)
    assert ["loss", "compile_metrics"] == made.metrics_names
    made = model(metrics=["mse"])
    with pytest.raises(ShapeError):
        silent(made, y=np.ones((10, 7)))
    silent(made)
    assert ["loss", "compile_metrics"] == made.metrics_names


def test_layers_and_metrics_have_names_of_all_kinds() -> None:
    made = Sequential([Dense(2, name="block-1 (last)")], name="my model")
    made.compile("sgd", "mse", metrics=[lambda y_true, y_pred: y_pred * 0.0])
    assert ["lambda", "loss"] == sorted(silent(made).history)
    assert "my model/block-1 (last)/kernel" == made.weights[0].path
    for wrong in ("a/b", 3):
        with pytest.raises(ArgumentValueError, match="give a text without a /"):
            Dense(2, name=wrong)  # type: ignore[arg-type]


def test_validation_data_without_y_is_refused_before_training() -> None:
    made = model()
    made.build((None, 3))
    before = made.get_weights()
    for given in ((X, None), (X,), X):
        with pytest.raises(ArgumentValueError, match="has no y, and the loss compares"):
            silent(made, validation_data=given)
    assert 0 == int(made.optimizer.iterations)
    for expected, found in zip(before, made.get_weights()):
        np.testing.assert_array_equal(expected, found)


def test_validation_data_without_y_is_evaluated_by_losses_of_the_users() -> None:
    class Large(Model):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Dense(2)

        def call(self, x: Any) -> Any:
            return self.inner(x)

        def compute_loss(self, **given: Any) -> Any:
            return rt.reduce_mean(rt.square(given["y_pred"]))

    made = Large()
    made.compile("sgd", "mse")
    for given in ((X, None), (X,), [X], X):
        assert ["loss", "val_loss"] == sorted(silent(made, validation_data=given).history)


def test_metrics_keep_their_order() -> None:
    # Recorded in Keras 3.15.
    x = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
    made = Sequential([Input((2,)), Dense(1, kernel_initializer="ones")])
    made.compile(rt.nn.optimizers.SGD(0.0), "mse", metrics=["mse", "mae", "RootMeanSquaredError"])
    found = made.evaluate(x, np.ones((6, 1)), verbose=0)
    np.testing.assert_allclose([0.4767, 0.4767, 0.6, 0.6904], found, atol=1e-4)
    assert ["mse", "mae", "RootMeanSquaredError"] == list(made.metrics[1].result())
