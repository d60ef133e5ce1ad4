"""Cells of recurrent layers: weights, one step, and dropout."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import layers as L
from tests.runtime.nn.layers.recurrent.keras_cases import X, path_of, wave

ROW = X[:, 0]
KINDS = [L.SimpleRNN, L.LSTM, L.GRU]
CELLS = [L.SimpleRNNCell, L.LSTMCell, L.GRUCell]


def zeros(*shape: int) -> Any:
    return np.zeros(shape, "f")


@pytest.mark.parametrize(
    ("layer", "name", "width", "bias"),
    [
        (L.SimpleRNN(5, name="s"), "s/simple_rnn_cell", 5, (5,)),
        (L.LSTM(5, name="l"), "l/lstm_cell", 20, (20,)),
        (L.GRU(5, name="g"), "g/gru_cell", 15, (2, 15)),
        (L.GRU(5, name="h", reset_after=False), "h/gru_cell", 15, (15,)),
    ],
)
def test_weights_have_keras_names_and_shapes(
    layer: Any, name: str, width: int, bias: tuple[int, ...]
) -> None:
    layer(X)
    expected = [("kernel", (3, width)), ("recurrent_kernel", (5, width)), ("bias", bias)]
    found = [(path_of(each), tuple(each.shape)) for each in layer.weights]
    assert [(f"{name}/{part}", shape) for part, shape in expected] == found


def test_initial_forget_bias_is_one_and_recurrent_kernel_orthogonal() -> None:
    _, recurrent, bias = (each.numpy() for each in _built(L.LSTM(3)).weights)
    np.testing.assert_array_equal([0] * 3 + [1] * 3 + [0] * 6, bias)
    np.testing.assert_allclose(np.eye(3), recurrent @ recurrent.T, atol=1e-6)
    assert 0.0 == np.abs(_built(L.LSTM(3, unit_forget_bias=False)).weights[2].numpy()).max()
    filled = _built(L.LSTM(1, bias_initializer=lambda shape, dtype: rt.fill(shape, 7.0)))
    assert [7, 1, 7, 7] == filled.weights[2].numpy().tolist()


def _built(layer: Any) -> Any:
    layer.build((None, None, 3))
    return layer


@pytest.mark.parametrize("kind", CELLS)
def test_a_layer_agrees_with_its_cell(kind: Any) -> None:
    layer = L.RNN(kind(2), return_sequences=True)
    outputs = layer(X).numpy()
    states = layer.cell.get_initial_state(batch_size=2)
    for at in range(X.shape[1]):
        output, states = layer.cell(X[:, at], states)
        np.testing.assert_allclose(outputs[:, at], output.numpy(), rtol=1e-6)


def test_a_single_state_needs_no_list() -> None:
    for kind in (L.SimpleRNNCell, L.GRUCell):
        output, state = kind(2)(ROW, zeros(2, 2))
        assert output is state


def test_an_lstm_of_other_activations_agrees_with_its_formula() -> None:
    cell = L.LSTMCell(2, activation="relu", recurrent_activation="tanh")
    state, carry = wave(2, 2, start=1.0), wave(2, 2, start=3.0)
    output, (_, new) = cell(ROW, [state, carry])
    kernel, recurrent, bias = (each.numpy() for each in cell.weights)
    i, f, g, o = np.split(ROW @ kernel + state @ recurrent + bias, 4, axis=1)
    expected = np.tanh(f) * carry + np.tanh(i) * np.maximum(g, 0)
    np.testing.assert_allclose(new.numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(output.numpy(), np.tanh(o) * np.maximum(expected, 0), rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_regularized_and_constrained(kind: Any) -> None:
    layer = kind(
        2,
        kernel_regularizer="l2",
        recurrent_regularizer="l1",
        activity_regularizer="l2",
        bias_constraint="non_neg",
    )
    layer(X)
    assert 3 == len(layer.losses)
    assert layer.weights[2].constraint is not None
    assert layer.kernel_regularizer is layer.cell.kernel_regularizer


# -- dropping --------------------------------------------------------------------------------------


def counting(kind: Any, **options: Any) -> Any:
    """Return a layer whose output at a step shows which inputs were dropped: 0 or not."""
    one = {"kernel_initializer": "ones", "bias_initializer": "zeros"}
    layer = kind(8, return_sequences=True, recurrent_initializer="zeros", **one, **options)
    layer(np.ones((64, 5, 1), "f"))
    return layer


@pytest.mark.parametrize("in_graph", [False, True])
def test_input_dropout_is_the_same_in_all_steps(in_graph: bool) -> None:
    layer = counting(L.SimpleRNN, activation="linear", dropout=0.25)
    run = ag.function(layer) if in_graph else layer
    ones = np.ones((64, 5, 1), "f")
    found = run(ones, training=True).numpy()
    assert {0.0, np.float32(1 / 0.75)} == set(found.ravel())
    assert np.array_equal(found, np.broadcast_to(found[:, :1, :1], found.shape))
    assert 4 < (found[:, 0, 0] == 0).sum() < 30
    assert not np.array_equal(found, run(ones, training=True).numpy())
    np.testing.assert_array_equal(np.ones((64, 5, 8)), run(ones, training=False).numpy())


@pytest.mark.parametrize("in_graph", [False, True])
def test_state_dropout_is_the_same_in_all_steps(in_graph: bool) -> None:
    ones = np.ones((64, 3, 1), "f")
    layer = L.SimpleRNN(1, activation="linear", recurrent_dropout=0.5, return_sequences=True)
    layer(ones)
    layer.set_weights([np.ones((1, 1)), np.ones((1, 1)), np.zeros(1)])
    run = ag.function(layer) if in_graph else layer
    rows = {tuple(row) for row in run(ones, training=True).numpy()[..., 0]}
    assert {(1.0, 1.0, 1.0), (1.0, 3.0, 7.0)} == rows
    assert {(1.0, 2.0, 3.0)} == {tuple(row) for row in run(ones).numpy()[..., 0]}


def test_dropout_masks_last_for_one_sequence() -> None:
    layer, ones = counting(L.SimpleRNN, activation="linear", dropout=0.5), np.ones((64, 5, 1), "f")
    of_run = layer(ones, training=True).numpy()[:, 0]
    zero = [zeros(64, 8)]
    of_cell = layer.cell(ones[:, 0], zero, training=True)[0].numpy()
    assert not np.array_equal(of_run, of_cell)
    np.testing.assert_array_equal(of_cell, layer.cell(ones[:, 0], zero, training=True)[0].numpy())
    np.testing.assert_array_equal(np.ones((64, 8)), layer.cell(ones[:, 0], zero)[0].numpy())
    assert (3, 8) == tuple(layer.cell(ones[:3, 0], [zeros(3, 8)], training=True)[0].shape)


def test_dropout_masks_are_not_shared_with_graphs() -> None:
    cell = counting(L.SimpleRNN, activation="linear", dropout=0.5).cell
    row, state = np.ones((64, 1), "f"), zeros(64, 8)
    eager = cell(row, state, training=True)[0].numpy()
    run = ag.function(lambda: cell(row, state, training=True)[0])
    found = [run().numpy() for _ in range(2)]
    assert not np.array_equal(found[0], found[1])
    assert not np.array_equal(eager, cell(row, state, training=True)[0].numpy())


@pytest.mark.parametrize("kind", [L.LSTM, L.GRU])
def test_each_gate_has_its_dropout_mask_with_recurrent_dropout(kind: Any) -> None:
    cell = kind(2, dropout=0.5, recurrent_dropout=0.5).cell
    cell.build((None, 3))
    masks = cell.get_dropout_mask(rt.ones((50, 3)))
    assert cell.gates == len(masks) == len(cell.get_recurrent_dropout_mask(rt.ones((50, 2))))
    assert not np.array_equal(masks[0].numpy(), masks[1].numpy())
    assert masks[0] is cell.get_dropout_mask(rt.ones((50, 3)))[0]
    cell.reset_dropout_mask()
    assert masks[0] is not cell.get_dropout_mask(rt.ones((50, 3)))[0]


@pytest.mark.parametrize("kind", KINDS)
def test_training_may_be_a_tensor(kind: Any) -> None:
    layer = kind(20, dropout=0.5, recurrent_dropout=0.5)
    plain = layer(X).numpy()
    run = ag.function(lambda x, training: layer(x, training=training))
    np.testing.assert_allclose(plain, run(X, rt.constant(False)).numpy(), rtol=1e-6)
    assert not np.allclose(plain, run(X, rt.constant(True)).numpy())


def test_the_same_seed_drops_the_same() -> None:
    one, other = (L.GRU(9, dropout=0.5, seed=4) for _ in range(2))
    one(X), other(X)
    other.set_weights(one.get_weights())
    rt.random.set_seed(1)
    first = one(X, training=True).numpy()
    rt.random.set_seed(1)
    np.testing.assert_array_equal(first, other(X, training=True).numpy())


def test_dropped_inputs_have_no_gradient() -> None:
    layer = L.GRU(2, dropout=1.0)
    layer(X)
    x = rt.constant(X)
    with rt.GradientTape() as tape:
        tape.watch(x)
        loss = rt.reduce_sum(layer(x, training=True))
    assert 0.0 == np.abs(tape.gradient(loss, x).numpy()).max()


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: L.LSTMCell(0), "units must be a whole number above 0, not 0"),
        (lambda: L.GRU(2.5), "units must be a whole number above 0, not 2.5"),
        (lambda: L.LSTM(2, activation="tahn"), "did you mean 'tanh'"),
        (lambda: L.GRU(2, dropout="much"), "a dropout rate must be a number"),
        (lambda: L.GRU(2, seed="x"), "a seed must be a whole number"),
        (lambda: L.LSTM(2, use_cudnn=True), "use_cudnn must be 'auto' or False"),
        (lambda: L.LSTM(2, implementation=7), "implementation must be 1 or 2"),
        (lambda: L.LSTM(2, units_=3), "no argument units_"),
        (lambda: L.LSTMCell(2)(ROW, [zeros(2, 2)]), "takes 2 states and is given 1"),
    ],
)
def test_wrong_arguments_are_refused(make: Any, words: str) -> None:
    with pytest.raises(ArgumentValueError, match=words):
        make()


def test_inputs_and_states_of_other_sizes_are_refused() -> None:
    cell = L.LSTMCell(2)
    cell(ROW, [zeros(2, 2), zeros(2, 2)])
    with pytest.raises(ShapeError, match="last axis of size 3"):
        cell(ROW[:, :2], [zeros(2, 2), zeros(2, 2)])
    with pytest.raises(ShapeError, match=r"must have shape \(batch, 2\), not \(2, 3\)"):
        cell(ROW, [zeros(2, 2), zeros(2, 3)])
    with pytest.raises(ShapeError, match="size of the last axis"):
        L.GRU(2).build((None, None, None))
