"""RNN layers: states, masks, custom cells, and refusals."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime import nest
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.nn import Sequential
from runtime.nn import layers as L
from runtime.nn.layers.masks import mask_of, put_mask
from tests.runtime.nn.layers.recurrent.keras_cases import MASK, STATE, X

# Many Functions are made of the same lines here.
pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
ANY = [rt.TensorSpec((None, None, 3), rt.float32)]


class Total:
    """A cell that is no layer: the sum of all inputs."""

    state_size = 3

    def call(self, inputs: Any, states: Any) -> Any:
        total = states[0] + inputs
        return total * 2.0, [total]


class Mixed(L.Layer):
    """A cell that is a layer, with an output of another size than its state."""

    def __init__(self, units: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units, self.state_size, self.output_size = units, [3, 1], units

    def build(self, input_shape: Any) -> None:
        self.kernel = self.add_weight(name="kernel", shape=(input_shape[-1], self.units))

    def call(self, inputs: Any, states: Any) -> Any:
        total, count = states
        output = rt.matmul(total + inputs, self.kernel) * (count + 1.0)
        return output, [total + inputs, count + 1.0]


def agree(layer: Any, **options: Any) -> list[Any]:
    """The outputs of a layer, which a graph that knows no size has as well."""
    eager = nest.flatten(layer(X, **options))
    run = ag.function(lambda x: layer(x, **options), input_signature=ANY)
    for one, other in zip(eager, nest.flatten(run(X)), strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-5, atol=1e-6)
    return [each.numpy() for each in eager]


# -- cells of the user's ---------------------------------------------------------------------------


def test_a_cell_that_is_no_layer() -> None:
    sums = 2 * np.cumsum(X, 1)
    (found,) = agree(L.RNN(Total(), return_sequences=True))
    np.testing.assert_allclose(found, sums, rtol=1e-5)
    found, state = agree(L.RNN(Total(), return_state=True))
    np.testing.assert_allclose(found, sums[:, -1], rtol=1e-5)
    np.testing.assert_allclose(state, sums[:, -1] / 2, rtol=1e-5)
    (found,) = agree(L.RNN(Total(), go_backwards=True, return_sequences=True))
    np.testing.assert_allclose(found, 2 * np.cumsum(X[:, ::-1], 1), rtol=1e-5)


def test_masked_steps_repeat_the_output_or_return_zeros() -> None:
    kept = 2 * np.cumsum(X * MASK[..., None], 1)
    (found,) = agree(L.RNN(Total(), return_sequences=True), mask=MASK)
    np.testing.assert_allclose(found, kept, rtol=1e-5)
    (found,) = agree(L.RNN(Total(), return_sequences=True, zero_output_for_mask=True), mask=MASK)
    np.testing.assert_allclose(found, kept * MASK[..., None], rtol=1e-5)
    (found,) = agree(L.RNN(Total()), mask=MASK)
    np.testing.assert_allclose(found, kept[:, -1], rtol=1e-5)


def test_outputs_and_states_of_other_sizes() -> None:
    layer = L.RNN(Mixed(), return_sequences=True, return_state=True)
    outputs, total, count = agree(layer, mask=MASK)
    assert (2, 4, 2) == outputs.shape
    np.testing.assert_allclose(total, (X * MASK[..., None]).sum(1), rtol=1e-5)
    np.testing.assert_array_equal(MASK.sum(1, keepdims=True), count)
    shapes = ((None, 4, 2), (None, 3), (None, 1))
    assert shapes == layer.compute_output_shape((None, 4, 3))


def test_gradients_go_through_any_cell() -> None:
    layer = L.RNN(Mixed(), return_sequences=True)
    layer(X)

    def gradients(x: Any) -> Any:
        with rt.GradientTape() as tape:
            loss = rt.reduce_sum(layer(x) ** 2)
        return tape.gradient(loss, layer.cell.kernel)

    totals = np.cumsum(X, 1) * np.arange(1, 5)[:, None]
    kernel = layer.cell.kernel.numpy()
    expected = np.einsum("btd,btu->du", totals, 2 * totals @ kernel)
    for found in (gradients(rt.constant(X)), ag.function(gradients, input_signature=ANY)(X)):
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4)


def test_stacked_cells_agree_with_stacked_layers() -> None:
    stacked = L.RNN([L.LSTMCell(2), L.GRUCell(4)], return_sequences=True, return_state=True)
    outputs, lower, upper = stacked(X)
    first = L.LSTM(2, return_sequences=True, return_state=True)
    second = L.GRU(4, return_sequences=True, return_state=True)
    second(first(X)[0])
    first.set_weights(stacked.get_weights()[:3])
    second.set_weights(stacked.get_weights()[3:])
    middle, *lower_states = first(X)
    expected, upper_state = second(middle)
    np.testing.assert_allclose(outputs.numpy(), expected.numpy(), rtol=1e-5)
    for one, other in zip([*lower, *upper], [*lower_states, upper_state], strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-5)
    assert ((None, 2), (None, 2)) == tuple(stacked.compute_output_shape((None, 3, 3))[1])
    agree(L.RNN([Total(), L.GRUCell(2, dropout=0.5)]), training=False)
    begun = L.RNN([L.GRUCell(2), L.LSTMCell(2)], return_state=True)
    alone = agree(begun, initial_state=[STATE[0], STATE])
    for one, other in zip(alone, agree(begun, initial_state=[[STATE[0]], STATE]), strict=True):
        np.testing.assert_array_equal(one, other)


# -- states ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_graph", [False, True])
@pytest.mark.parametrize("kind", [L.SimpleRNN, L.LSTM, L.GRU])
def test_a_stateful_layer_continues_from_its_last_state(kind: Any, in_graph: bool) -> None:
    layer, plain = kind(2, stateful=True, return_sequences=True), kind(2, return_sequences=True)
    run = ag.function(layer) if in_graph else layer
    run(X[:, :2]), plain(X)
    plain.set_weights(layer.get_weights())
    layer.reset_states()
    halves = [run(X[:, :2]).numpy(), run(X[:, 2:]).numpy()]
    np.testing.assert_allclose(np.concatenate(halves, 1), plain(X).numpy(), rtol=1e-5)
    layer.reset_states()
    assert 0.0 == max(np.abs(each.numpy()).max() for each in layer.states)
    assert 3 == len(layer.weights)
    assert not any(each.trainable for each in layer.states)


def test_a_stateful_layer_needs_batches_of_one_size() -> None:
    with pytest.raises(ArgumentValueError, match="size of its batches must be known"):
        L.LSTM(2, stateful=True).build((None, 4, 3))
    layer = L.LSTM(2, stateful=True)
    layer(X)
    with pytest.raises(ShapeError, match="given 1 sequences and states of 2"):
        layer(X[:1])
    held = layer.states
    layer.build(X.shape)
    assert held is layer.states
    assert 0.0 == np.abs(layer.states[0].numpy()).max()


def test_final_states_are_initial_states_of_another_call() -> None:
    layer = L.LSTM(2, return_sequences=True, return_state=True)
    whole = layer(X)[0].numpy()
    first, *states = layer(X[:, :1])
    rest = layer(X[:, 1:], initial_state=states)[0]
    np.testing.assert_allclose(whole, np.concatenate([first.numpy(), rest.numpy()], 1), rtol=1e-5)
    np.testing.assert_array_equal(layer(X, STATE)[0].numpy(), layer(X, initial_state=STATE)[0])


@pytest.mark.parametrize("kind", [L.SimpleRNN, L.LSTM, L.GRU])
@pytest.mark.parametrize("count", [1, 2])
def test_one_initial_state_is_broadcast_to_all_sequences(kind: Any, count: int) -> None:
    layer = kind(2, return_sequences=True)
    one = [each[:1] for each in STATE[: len(layer.state_size)]]
    expected = layer(X[:count], initial_state=[np.repeat(each, count, 0) for each in one])
    run = ag.function(lambda x: layer(x, initial_state=one), input_signature=ANY)
    for found in (layer(X[:count], initial_state=one), run(X[:count])):
        np.testing.assert_allclose(expected.numpy(), found.numpy(), rtol=1e-6)


def test_sequences_without_steps_leave_the_states() -> None:
    run = L.GRU(2, return_sequences=True, return_state=True)
    run(X)
    for call in (run, ag.function(run, input_signature=ANY)):
        outputs, state = call(X[:, :0])
        assert (2, 0, 2) == tuple(outputs.shape)
        np.testing.assert_array_equal(np.zeros((2, 2)), state.numpy())
    with pytest.raises(ShapeError, match="at least one step"):
        L.RNN(Total())(X[:, :0])


# -- masks -----------------------------------------------------------------------------------------


def test_masks_are_propagated_from_inputs_to_outputs() -> None:
    x, mask = rt.constant(X), rt.constant(MASK)
    put_mask(x, mask)
    layer = L.LSTM(2, return_sequences=True, return_state=True)
    outputs, state, _ = layer(x)
    np.testing.assert_array_equal(layer(X, mask=MASK)[0].numpy(), outputs.numpy())
    assert mask_of(outputs) is mask
    assert mask_of(state) is None
    last = L.GRU(3)
    found = last(outputs)
    assert mask_of(found) is None
    np.testing.assert_array_equal(last(outputs, mask=MASK).numpy(), found.numpy())


@pytest.mark.parametrize("kind", [L.SimpleRNN, L.LSTM, L.GRU])
def test_trailing_masked_steps_are_ignored(kind: Any) -> None:
    layer = kind(2, return_state=True)
    mask = np.array([[True, True, False, False]] * 2)
    for one, other in zip(layer(X, mask=mask), layer(X[:, :2]), strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-6)
    for form in (mask.astype("f"), mask[..., None], mask.tolist()):
        np.testing.assert_array_equal(layer(X, mask=mask)[0].numpy(), layer(X, mask=form)[0])


def test_a_masked_first_step_returns_zeros() -> None:
    class InitialOnes(L.GRUCell):
        def get_initial_state(self, batch_size: Any = None) -> Any:
            return [rt.ones((batch_size, self.units))]

    mask = np.array([[False, True, True, True]] * 2)
    (outputs,) = agree(L.RNN(InitialOnes(2), return_sequences=True), mask=mask)
    np.testing.assert_array_equal(np.zeros((2, 2)), outputs[:, 0])
    assert np.abs(outputs[:, 1]).min() > 0


# -- in models, and made again ---------------------------------------------------------------------


def test_layers_in_a_row() -> None:
    model = Sequential(
        [
            L.InputLayer((None, 3)),
            L.Bidirectional(L.LSTM(4, return_sequences=True)),
            L.GRU(3),
            L.Dense(1),
        ]
    )
    assert 377 == model.count_params()
    assert (None, 1) == model.compute_output_shape((None, 7, 3))
    assert (2, 1) == tuple(agree(model)[0].shape)


@pytest.mark.parametrize(
    "layer",
    [
        L.SimpleRNN(2, stateful=True),
        L.LSTM(2, kernel_regularizer="l2", dropout=0.1, seed=4, name="named"),
        L.GRU(2, reset_after=False, activation="relu", zero_output_for_mask=True),
        L.GRUCell(3, dtype="float64"),
        L.RNN([L.LSTMCell(2), L.GRUCell(3)], return_state=True),
        L.RNN(Mixed(2)),
        L.StackedRNNCells([L.LSTMCell(2)]),
        L.Bidirectional(L.GRU(2), merge_mode="sum"),
        L.Bidirectional(L.RNN(L.GRUCell(2)), backward_layer=L.LSTM(2, go_backwards=True)),
        L.TimeDistributed(L.Dense(3)),
    ],
    ids=lambda layer: type(layer).__name__,
)
def test_a_layer_is_restored_from_its_config(layer: Any) -> None:
    config = json.loads(json.dumps(layer.get_config()))
    again = type(layer).from_config(config)
    assert config == json.loads(json.dumps(again.get_config()))
    assert type(layer) is type(again)


def test_cells_are_found_by_the_names_of_their_classes() -> None:
    config = {"cell": {"class_name": "Nothing", "config": {"units": 3}}}
    with pytest.raises(ArgumentValueError, match="no layer 'Nothing': give its class"):
        L.RNN.from_config(config)
    made = L.RNN.from_config(config, custom_objects={"Nothing": L.GRUCell})
    assert (L.GRUCell, 3) == (type(made.cell), made.cell.units)


# -- gradients -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [L.SimpleRNN, L.LSTM, L.GRU])
def test_gradients_of_gradients_agree_with_finite_differences(kind: Any) -> None:
    layer = kind(2, dtype="float64", return_sequences=True)
    x = rt.constant(X[:, :3], rt.float64)
    layer(x)

    def gradients(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            loss = rt.reduce_sum(rt.exp(layer(x, mask=MASK[:, :3])))
        return tape.gradient(loss, x)

    def curves(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            total = rt.reduce_sum(gradients(x) ** 2)
        return tape.gradient(total, x)

    found = curves(x).numpy()
    spec = [rt.TensorSpec((None, None, 3), rt.float64)]
    of_graph = ag.function(curves, input_signature=spec)(x).numpy()
    np.testing.assert_allclose(found, of_graph, rtol=1e-9)
    step = 1e-6
    for place in [(0, 0, 0), (1, 1, 2), (0, 2, 1), (1, 2, 0)]:
        ends = []
        for sign in (1, -1):
            moved = x.numpy().copy()
            moved[place] += sign * step
            ends.append(float(rt.reduce_sum(gradients(rt.constant(moved)) ** 2)))
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), found[place], rtol=1e-5)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda: L.GRU(2)(X[0]), "takes inputs of 3 axes"),
        (lambda: L.RNN(Total())(X[0]), "takes inputs of 3 axes or more"),
        (lambda: L.GRU(2)(X, initial_state=np.zeros((2, 5), "f")), "not (2, 5)"),
        (lambda: L.GRU(2)(X, initial_state=np.zeros((3, 2), "f")), "2 sequences and states of 3"),
        (lambda: L.LSTM(2)(X, mask=np.ones((2, 3), bool)), "does not fit sequences"),
        (lambda: L.LSTM(2)(X, mask=np.ones(2, bool)), "one bool for each step"),
        (lambda: [layer(x) for layer in [L.LSTM(2)] for x in (X, X[..., :2])], "axis of size 3"),
    ],
)
def test_wrong_shapes_are_refused(run: Any, words: str) -> None:
    with pytest.raises(ShapeError, match=words.replace("(2, 5)", r"\(2, 5\)")):
        run()


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda: L.RNN(3), "needs a cell with `call` and `state_size`"),
        (lambda: L.RNN([3]), "a cell must have `call` and `state_size`"),
        (lambda: L.StackedRNNCells([]), "needs a list of cells"),
        (lambda: L.LSTM(2)(X, initial_state=STATE[:1]), "takes 2 states and is given 1"),
        (lambda: L.RNN(Total())(X, initial_state=STATE), "has 1 states and is given 2"),
    ],
)
def test_wrong_cells_and_states_are_refused(run: Any, words: str) -> None:
    with pytest.raises(ArgumentValueError, match=words):
        run()


def test_a_layer_of_unknown_length_cannot_be_unrolled() -> None:
    with pytest.raises(ArgumentValueError, match="number of steps is not known"):
        agree(L.GRU(2, unroll=True))


@pytest.mark.parametrize("name", ["return_sequences", "return_state", "stateful", "unroll"])
def test_flags_are_no_texts_and_no_numbers(name: str) -> None:
    for value in ("yes", 5):
        with pytest.raises(DTypeError, match=f"{name} must be True or False, not "):
            L.LSTM(3, **{name: value})  # type: ignore[arg-type]
