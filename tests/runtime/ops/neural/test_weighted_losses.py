"""Losses of logits: gradients where logits are 0, and refused shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ShapeError


def test_the_gradient_of_a_sigmoid_cross_entropy_is_smooth_at_a_logit_of_0() -> None:
    # A model whose weights begin with zeros has such logits in its first step.
    labels, logits = rt.constant([1.0, 0.0, 0.3]), rt.constant([0.0, 0.0, 0.0])
    with rt.GradientTape() as outer:
        outer.watch(logits)
        with rt.GradientTape() as tape:
            tape.watch(logits)
            loss = rt.nn.sigmoid_cross_entropy_with_logits(labels, logits)
        gradient = tape.gradient(loss, logits)
    # By calculus the slope is sigmoid(logit) - label, and the slope of that a quarter.
    np.testing.assert_allclose(gradient.numpy(), [-0.5, 0.5, 0.2], rtol=1e-6)
    np.testing.assert_allclose(outer.gradient(gradient, logits).numpy(), [0.25] * 3, rtol=1e-6)


def test_a_binary_cross_entropy_of_zeros_agrees_with_keras() -> None:
    logits = rt.constant([[0.0, 0.0]])
    with rt.GradientTape() as tape:
        tape.watch(logits)
        loss = rt.nn.losses.BinaryCrossentropy(from_logits=True)([[1.0, 0.0]], logits)
    # Recorded from Keras 3 on TensorFlow 2.21.
    assert tape.gradient(loss, logits).numpy().tolist() == [[-0.25, 0.25]]


@pytest.mark.parametrize(
    "loss",
    [
        rt.nn.sigmoid_cross_entropy_with_logits,
        rt.nn.log_poisson_loss,
        lambda labels, logits: rt.nn.weighted_cross_entropy_with_logits(labels, logits, 2.0),
    ],
)
def test_labels_and_logits_are_of_one_shape(loss: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(ShapeError):
        loss([1.0, 0.0, 1.0], [[1.0], [2.0], [3.0]])
