"""Activations at the points where their slope jumps."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt


def test_the_slope_of_selu_at_zero_is_that_of_its_right_side() -> None:
    # TensorFlow 2.21: tape.gradient(tf.nn.selu(x), x) for x = tf.constant([0.0, -1.0, 1.0]).
    x = rt.constant([0.0, -1.0, 1.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = rt.nn.selu(x)
    slopes = tape.gradient(y, x).numpy().tolist()
    assert pytest.approx([1.050701, 0.6467686, 1.050701], rel=1e-6) == slopes


@pytest.mark.parametrize("f", [rt.nn.relu, rt.nn.relu6], ids=["relu", "relu6"])
def test_slopes_of_slopes_of_relu_are_zeros(f: Any) -> None:
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
