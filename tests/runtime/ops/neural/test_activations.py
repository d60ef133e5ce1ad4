"""Activations: formulas, types and gradients, also where the derivative jumps."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError

X = np.linspace(-4, 7, 12).reshape(3, 4)


@pytest.mark.parametrize(
    "ours, formula",
    [
        (rt.nn.relu, lambda x: x * (x > 0)),
        (rt.nn.relu6, lambda x: np.clip(x, 0, 6)),
        (rt.nn.elu, lambda x: np.where(x > 0, x, np.exp(x) - 1)),
        (rt.nn.softplus, lambda x: np.log(1 + np.exp(x))),
        (rt.nn.softsign, lambda x: x / (1 + abs(x))),
        (rt.nn.silu, lambda x: x / (1 + np.exp(-x))),
        (rt.nn.leaky_relu, lambda x: np.where(x > 0, x, 0.2 * x)),
        (rt.nn.gelu, lambda x: x / 2 * (1 + np.vectorize(math.erf)(x / np.sqrt(2)))),
        (
            partial(rt.nn.gelu, approximate=True),
            lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
        ),
    ],
)
def test_activations_agree_with_their_formulas(ours: object, formula: object) -> None:
    result = ours(X)  # type: ignore[operator]
    np.testing.assert_allclose(result.numpy(), formula(X), rtol=1e-6)  # type: ignore[operator]
    assert result.dtype is rt.float64


def test_relu_of_integers() -> None:
    assert rt.nn.relu([-1, 2]).dtype is rt.int32 and rt.nn.relu([-1, 2]).numpy().tolist() == [0, 2]


def test_leaky_relu_with_a_steep_side_and_of_integers() -> None:
    # As TensorFlow 2.21 gives them.
    assert [-4.0, 3.0] == rt.nn.leaky_relu([-2.0, 3.0], alpha=2.0).numpy().tolist()
    assert rt.nn.leaky_relu([-2, 3]).dtype is rt.float32


def test_gelu_is_of_floats() -> None:
    with pytest.raises(DTypeError, match="gelu works on floats"):
        rt.nn.gelu([1])


def test_the_gradient_of_selu_at_zero_is_its_right_derivative() -> None:
    # TensorFlow 2.21: tape.gradient(tf.nn.selu(x), x) for x = tf.constant([0.0, -1.0, 1.0]).
    x = rt.constant([0.0, -1.0, 1.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = rt.nn.selu(x)
    gradients = tape.gradient(y, x).numpy().tolist()
    assert pytest.approx([1.050701, 0.6467686, 1.050701], rel=1e-6) == gradients


# TensorFlow 2.21: the gradients of tf.nn.NAME at these places, eager and in a tf.function.
PLACES = [np.nan, 0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, 6.0]
SLOPES = {
    "relu": [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
    "relu6": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
    "elu": [1.0, 1.0, 1.0, 1.0, 0.36787945, 1.0, 0.0, 1.0],
    "leaky_relu": [0.2, 0.2, 0.2, 1.0, 0.2, 1.0, 0.2, 1.0],
}


def gradients_of(name: str, x: Any, upstream: Any = None) -> Any:
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = getattr(rt.nn, name)(x)
    return tape.gradient(y, x, output_gradients=upstream)


@pytest.mark.parametrize("name", SLOPES)
def test_gradients_at_nan_agree_with_tensorflow(name: str) -> None:
    x = rt.constant(PLACES)
    staged = ag.function(lambda x: gradients_of(name, x))
    loop = ag.function(lambda xs: rt.map_fn(lambda x: gradients_of(name, x), xs))
    for found in (gradients_of(name, x), staged(x), loop(x)):
        assert found.numpy().tobytes() == np.array(SLOPES[name], np.float32).tobytes()


def test_nan_gradients_pass_through_a_zero_derivative() -> None:
    # TensorFlow 2.21 multiplies: nan stays nan, and what is negative leaves -0.0.
    x = rt.constant([-1.0, 1.0, np.nan, -1.0])
    above = rt.constant([np.nan, np.nan, 2.0, -1.0])
    staged = ag.function(lambda x: gradients_of("relu", x, above))
    for found in (gradients_of("relu", x, above), staged(x)):
        assert str(found.numpy().tolist()) == "[nan, nan, 0.0, -0.0]"


@pytest.mark.parametrize("f", [rt.nn.relu, rt.nn.relu6], ids=["relu", "relu6"])
def test_gradients_of_gradients_of_relu_are_zeros(f: Any) -> None:
    # As in TensorFlow 2.21: zeros, and not None.
    x = rt.constant([0.3, -0.7, 2.0])
    with rt.GradientTape() as outer:
        outer.watch(x)
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        first = tape.gradient(y, x)
    assert [1.0, 0.0, 1.0] == first.numpy().tolist()
    assert [0.0, 0.0, 0.0] == outer.gradient(first, x).numpy().tolist()
