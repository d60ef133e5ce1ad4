"""Seeds agree with Keras 3.15 on TensorFlow 2.21: all numbers here are recorded from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, VariableCreationError
from runtime.nn.layers import (
    LSTM,
    AlphaDropout,
    Dense,
    Dropout,
    GaussianNoise,
    MultiHeadAttention,
    SimpleRNN,
)
from runtime.nn.seeds import SeedGenerator, drawn_seed, forget_seeds, set_random_seed

X = np.sin(np.arange(60)).reshape(20, 3)
Y = np.cos(np.arange(20)).reshape(20, 1)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    forget_seeds()
    rt.random.set_seed(None)


def sums(layer: Any) -> list[float]:
    return [float(np.abs(w).sum()) for w in layer.get_weights() if np.abs(w).sum()]


def test_a_program_with_a_seed_learns_as_it_does_in_keras() -> None:
    set_random_seed(7)
    layers = [rt.nn.Input((3,)), Dense(2, activation="relu"), Dropout(0.3), Dense(1)]
    model = rt.nn.Sequential(layers)
    model.compile("sgd", "mse")
    expected = [-0.4000148, 0.5036206, 0.9944792, -0.3734725, -0.2459794, 0.0368202]
    np.testing.assert_allclose(model.get_weights()[0].ravel(), expected, rtol=1e-5)
    losses = model.fit(X, Y, batch_size=4, epochs=3, verbose=0).history["loss"]
    np.testing.assert_allclose(losses, [0.8456699, 0.7104337, 0.6803486], rtol=1e-5)


def test_after_set_seed_two_models_are_equal_also_after_set_random_seed() -> None:
    def weights() -> list[list[float]]:
        rt.random.set_seed(3)
        model = rt.nn.Sequential([rt.nn.Input((3,)), Dense(2), Dropout(0.5), Dense(1)])
        drawn = model(X, training=True).numpy()
        return [each.ravel().tolist() for each in (*model.get_weights(), drawn)]

    first = weights()
    set_random_seed(7)
    assert first == weights() == weights()
    set_random_seed(7)
    keras = Dense(2)
    keras(X)
    set_random_seed(7)
    again = Dense(2)
    again(X)
    assert keras.get_weights()[0].tolist() == again.get_weights()[0].tolist()


def test_layers_draw_their_seeds_in_the_order_of_keras() -> None:
    set_random_seed(3)
    lstm = LSTM(2, dropout=0.5)
    lstm(np.ones((1, 2, 2)))
    np.testing.assert_allclose(sums(lstm), [6.807475, 4.830551, 2.0], rtol=1e-5)
    np.testing.assert_allclose(lstm(np.ones((1, 2, 2)), training=True), [[0.0, 0.0]], atol=1e-6)
    attention = MultiHeadAttention(2, 3, dropout=0.3)
    attention(np.ones((1, 2, 4)), np.ones((1, 2, 4)))
    # The spread of a projection is that of its own inputs and outputs, all heads together.
    expected = [9.635464, 9.099336, 8.479855, 7.719276]
    np.testing.assert_allclose(sums(attention), expected, rtol=1e-5)


def test_a_seeded_layer_advances_from_call_to_call() -> None:
    layer = Dropout(0.5, seed=3)
    expected = [[0.0, 2.0, 2.0, 2.0, 0.0, 0.0], [0.0, 2.0, 0.0, 2.0, 2.0, 0.0]]
    assert expected == [layer(np.ones(6), training=True).numpy().tolist() for _ in range(2)]
    assert [[3, 2]] == [v.numpy().tolist() for v in layer.variables]
    assert [] == list(layer.weights)


def test_a_graph_advances_seeds() -> None:
    layer = Dropout(0.5, seed=3)
    model = rt.nn.Sequential([rt.nn.Input((6,)), layer])
    model.compile(loss="mse", optimizer="sgd")
    model.fit(np.ones((2, 6)), np.ones((2, 6)), batch_size=1, epochs=2, verbose=0)
    assert [3, 4] == layer.seed_generator.state.numpy().tolist()


def test_noise_agrees_with_keras() -> None:
    noise = GaussianNoise(0.5, seed=3)(np.zeros(3), training=True)
    np.testing.assert_allclose(noise, [-0.3357924, 0.8380252, -0.4721227], rtol=1e-5)
    left = AlphaDropout(0.5, seed=3)(np.ones(4), training=True)
    np.testing.assert_allclose(left, [-0.7791938, 1.6655989, 1.6655989, 1.6655989], rtol=1e-5)
    made = rt.nn.initializers.Orthogonal(seed=3)((2, 3))
    expected = [[-0.3935483, -0.5533272, 0.7341312], [0.7484162, 0.2708942, 0.6053838]]
    np.testing.assert_allclose(made, expected, rtol=1e-5)


def test_an_unseeded_initializer_is_deterministic_under_a_global_seed() -> None:
    make = rt.nn.initializers.GlorotUniform()
    assert (make((3, 3)).numpy() != make((3, 3)).numpy()).any()
    set_random_seed(1)
    make = rt.nn.initializers.GlorotUniform()
    assert (make((3, 3)).numpy() == make((3, 3)).numpy()).all()
    assert make.get_config()["seed"] is None


def test_calls_without_a_seed_share_the_global_seed() -> None:
    set_random_seed(5)
    first = [drawn_seed(None).numpy().tolist() for _ in range(2)]
    set_random_seed(5)
    assert first == [drawn_seed(None).numpy().tolist() for _ in range(2)]
    assert first[0] != first[1]


def test_odd_seeds_are_refused() -> None:
    for odd in ("1", 1.5, [1]):
        with pytest.raises((ArgumentValueError, rt.errors.DTypeError)):
            set_random_seed(odd)  # type: ignore[arg-type]
        with pytest.raises((ArgumentValueError, rt.errors.DTypeError)):
            drawn_seed(odd)
    assert {"seed": 4, "name": "s"} == SeedGenerator.from_config(
        SeedGenerator(4, "s").get_config()
    ).get_config()


ONES: Any = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
STEPS = rt.ones([1, 2, 1])
UNDRAWN: dict[str, Any] = {
    "dropout": lambda: Dropout(0.5)(STEPS, training=False),
    "noise": lambda: GaussianNoise(0.5)(STEPS, training=False),
    "stateful": lambda: SimpleRNN(1, stateful=True, **ONES)(STEPS),
    "lstm": lambda: LSTM(1, **ONES)(STEPS),
    "in a model": lambda: rt.nn.Sequential([Dense(1, kernel_initializer="ones"), Dropout(0.5)])(
        STEPS
    ),
}


@pytest.mark.parametrize("kind", UNDRAWN)
def test_a_layer_without_randomness_may_be_created_in_each_call(kind: str) -> None:
    set_random_seed(3)
    expected = UNDRAWN[kind]().numpy().tolist()
    called = ag.function(UNDRAWN[kind])
    assert [expected] * 3 == [called().numpy().tolist() for _ in range(3)]


def test_a_random_layer_created_in_each_call_is_refused() -> None:
    set_random_seed(3)
    called = ag.function(lambda: Dropout(0.5)(STEPS, training=True))
    with pytest.raises(VariableCreationError, match="seed_generator.* begins with random"):
        for _ in range(2):
            called()
