"""Layers around layers: Bidirectional and TimeDistributed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime import nest
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import layers as L
from runtime.nn.layers.masks import mask_of, put_mask
from tests.runtime.nn.layers.recurrent.keras_cases import MASK, STATE, X, path_of

ANY = [rt.TensorSpec((None, None, 3), rt.float32)]


# -- Bidirectional ---------------------------------------------------------------------------------


def test_bidirectional_copies_its_layer_in_both_directions() -> None:
    pattern = L.LSTM(2, name="way")
    layer = L.Bidirectional(pattern, name="both")
    layer(X)
    assert not pattern.built
    assert (False, True) == (layer.forward_layer.go_backwards, layer.backward_layer.go_backwards)
    names = [path_of(each) for each in layer.weights]
    assert "both/forward_way/lstm_cell/kernel" == names[0]
    assert "both/backward_way/lstm_cell/bias" == names[-1]


@pytest.mark.parametrize("mode", ["concat", "sum", "mul", "ave", None])
@pytest.mark.parametrize("options", [{}, {"return_sequences": True}, {"return_state": True}])
def test_outputs_have_the_shapes_that_are_computed(mode: Any, options: Any) -> None:
    layer = L.Bidirectional(L.LSTM(2, **options), merge_mode=mode)
    shapes = nest.map_structure(lambda each: tuple(each.shape), layer(X))
    assert shapes == layer.compute_output_shape((2, 4, 3))


def test_states_of_both_directions() -> None:
    layer = L.Bidirectional(L.GRU(2, return_state=True, stateful=True))
    _, there, back = layer(X)
    found = [each.numpy() for each in layer.states]
    np.testing.assert_array_equal([there.numpy(), back.numpy()], found)
    layer.reset_states()
    assert 0.0 == max(np.abs(each.numpy()).max() for each in layer.states)
    _, there, back = layer(X, initial_state=STATE)
    expected = layer.forward_layer(X, initial_state=STATE[0])[1]
    np.testing.assert_array_equal(expected.numpy(), there.numpy())
    assert L.Bidirectional(L.GRU(2)).states is None


def test_the_mask_is_propagated_with_sequences() -> None:
    x, mask = rt.constant(X), rt.constant(MASK)
    put_mask(x, mask)
    assert mask_of(L.Bidirectional(L.GRU(2, return_sequences=True))(x)) is mask
    assert mask_of(L.Bidirectional(L.GRU(2))(x)) is None
    outputs = L.Bidirectional(L.GRU(2, return_sequences=True), merge_mode=None)(x)
    assert all(mask_of(each) is mask for each in outputs)


def test_bidirectional_takes_initial_weights() -> None:
    first = L.Bidirectional(L.GRU(2))
    first(X)
    second = L.Bidirectional(L.GRU(2), weights=first.get_weights())
    np.testing.assert_array_equal(first(X).numpy(), second(X).numpy())


def test_layers_are_created_from_keras_configs() -> None:
    dtype = {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float64"}}
    rest = {"module": "keras.layers", "registered_name": None, "class_name": "GRU"}
    options = {"trainable": True, "dtype": dtype, "units": 2, "zero_output_for_mask": False}
    there = {**rest, "config": {**options, "name": "forward_gru", "go_backwards": False}}
    back = {**rest, "config": {**options, "name": "backward_gru", "go_backwards": True}}
    told = {"name": "both", "dtype": dtype, "merge_mode": "sum"}
    layer = L.Bidirectional.from_config({**told, "layer": there, "backward_layer": back})
    assert ("forward_gru", "backward_gru") == (layer.forward_layer.name, layer.backward_layer.name)
    assert ((2, 2), rt.float64) == (tuple(layer(X).shape), layer(X).dtype)
    cells = [{**rest, "class_name": "LSTMCell", "config": {"name": "a", "units": 3}}]
    stacked = {"class_name": "StackedRNNCells", "config": {"dtype": dtype, "cells": cells}}
    assert [[3, 3]] == L.RNN.from_config({"cell": stacked, "dtype": dtype}).state_size


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: L.Bidirectional(L.Dense(2)), "needs a recurrent layer"),
        (lambda: L.Bidirectional(L.GRU(2), merge_mode="max"), "merge_mode must be one of"),
        (lambda: L.Bidirectional(L.GRU(2), backward_layer=L.GRU(2)), "goes the same way"),
        (
            lambda: L.Bidirectional(
                L.GRU(2), backward_layer=L.GRU(2, go_backwards=True, return_sequences=True)
            ),
            "the same return_sequences, not False and True",
        ),
        (lambda: L.Bidirectional(L.LSTM(2))(X, initial_state=STATE[:1] * 3), "not 3 in all"),
        (lambda: L.TimeDistributed(3), "takes a layer, not 3"),
    ],
)
def test_wrong_arguments_are_refused(make: Any, words: str) -> None:
    with pytest.raises(ArgumentValueError, match=words):
        make()


# -- TimeDistributed -------------------------------------------------------------------------------


class Centred(L.Layer):
    """Subtracts the mean of its batch, and counts its calls."""

    def build(self, input_shape: Any) -> None:
        self.calls = self.add_weight(name="calls", shape=(), initializer="zeros", trainable=False)

    def call(self, inputs: Any, mask: Any = None) -> Any:
        self.calls.assign_add(1.0)
        weights = rt.ones_like(inputs[:, :1]) if mask is None else rt.cast(mask, "float32")[:, None]
        mean = rt.reduce_sum(inputs * weights, 0) / rt.reduce_sum(weights)
        return inputs - mean


@pytest.mark.parametrize("known", [True, False])
def test_a_layer_is_applied_to_each_step(known: bool) -> None:
    layer = L.TimeDistributed(L.Reshape((1, 3)))
    run = layer if known else ag.function(layer, input_signature=ANY)
    np.testing.assert_array_equal(X[:, :, None], run(X).numpy())
    assert (None, 4, 1, 3) == layer.compute_output_shape((None, 4, 3))
    images = np.arange(2 * 3 * 4 * 5, dtype="f").reshape(2, 3, 4, 5)
    np.testing.assert_array_equal(
        images.reshape(2, 3, 20), L.TimeDistributed(L.Flatten())(images).numpy()
    )


def test_time_distributed_runs_stateful_layers_step_by_step() -> None:
    layer = L.TimeDistributed(Centred())
    np.testing.assert_allclose(X - X.mean(0), layer(X).numpy(), atol=1e-6)
    assert 4.0 == float(layer.layer.calls)
    counts = np.array([[True, True, False, True], [True, False, True, True]])
    kept = counts[..., None]
    expected = X - (X * kept).sum(0) / kept.sum(0)
    np.testing.assert_allclose(expected, layer(X, mask=counts).numpy(), atol=1e-6)


def test_wrong_inputs_and_masks_are_refused() -> None:
    layer = L.TimeDistributed(L.Dense(2))
    with pytest.raises(ShapeError, match="takes inputs of 3 axes or more"):
        layer(X[0])
    with pytest.raises(ShapeError, match="does not fit sequences"):
        layer(X, mask=np.ones((2, 3), bool))
    with pytest.raises(ShapeError, match=r"\(batch, steps\), not shape"):
        layer(X, mask=np.ones(2, bool))


def test_copies_use_the_class_and_not_its_name() -> None:
    class Cell(L.Layer):
        state_size = output_size = 2

        def call(self, inputs: Any, states: Any) -> Any:
            return states[0] + inputs, [states[0] + inputs]

    first = Cell

    class Cell(L.Layer):  # type: ignore[no-redef]
        pass

    both = L.Bidirectional(L.RNN(first()))
    assert [first, first] == [type(each.cell) for each in (both.forward_layer, both.backward_layer)]
    model = rt.nn.Sequential([L.Input((None, 2)), L.RNN(first())])
    assert first is type(rt.nn.models.clone_model(model).layers[-1].cell)
    assert [[3.0, 3.0, 3.0, 3.0]] == both(rt.constant([[[1.0, 1.0], [2.0, 2.0]]])).numpy().tolist()
