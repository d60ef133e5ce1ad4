"""Losses and metrics against numbers that Keras 3 gave for the same values."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.losses import MeanSquaredError, SparseCategoricalCrossentropy

TRUE = np.array([0, 2, 1])
PREDICTED = np.array([[2.0, 1.0, 0.0], [0.5, 0.1, 0.4], [0.2, 0.7, 0.1]], np.float32)
WEIGHTS = np.array([1.0, 2.0, 0.5], np.float32)
# By reduction: without weights, and with WEIGHTS, as keras.losses gave them.
OF_LOGITS = {
    "sum_over_batch_size": (0.7404887080192566, 0.9611339569091797),
    "sum": (2.221466064453125, 2.883401870727539),
    "mean": (0.7404887080192566, 0.9611339569091797),
    "mean_with_sample_weight": (0.7404887080192566, 0.8238291144371033),
    None: (
        [0.40760594606399536, 1.0459105968475342, 0.7679495811462402],
        [0.40760594606399536, 2.0918211936950684, 0.3839747905731201],
    ),
}
IGNORING = {
    "sum_over_batch_size": (0.524911105632782, 0.4357423484325409),
    "sum": (1.0498220920562744, 0.871484637260437),
    "mean_with_sample_weight": (0.5249110460281372, 0.5809897780418396),
    None: ([0.6931471824645996, 0.0, 0.3566749691963196], [0.6931471824645996, 0.0, 0.17833748]),
}
SQUARES = {
    "sum_over_batch_size": (0.7422221302986145, 0.5566666126251221),
    "sum": (2.2266664505004883, 1.6699998378753662),
    "mean_with_sample_weight": (0.7422221302986145, 0.4771428108215332),
    None: ([1.1133332252502441, 0.0, 1.1133332252502441], [1.11333322, 0.0, 0.55666661]),
}


@pytest.mark.parametrize("reduction", OF_LOGITS)
def test_cross_entropy_of_logits(reduction: str | None) -> None:
    loss = SparseCategoricalCrossentropy(from_logits=True, reduction=reduction)
    plain, weighted = OF_LOGITS[reduction]
    np.testing.assert_allclose(loss(TRUE, PREDICTED).numpy(), plain, rtol=1e-6)
    np.testing.assert_allclose(loss(TRUE, PREDICTED, WEIGHTS).numpy(), weighted, rtol=1e-6)
    column = loss(TRUE[:, None], PREDICTED).numpy()
    np.testing.assert_allclose(column, plain, rtol=1e-6)


@pytest.mark.parametrize("reduction", IGNORING)
def test_cross_entropy_of_probabilities_without_a_class(reduction: str | None) -> None:
    loss = SparseCategoricalCrossentropy(reduction=reduction, ignore_class=2)
    plain, weighted = IGNORING[reduction]
    predicted = PREDICTED[[1, 1, 2]]
    np.testing.assert_allclose(loss(TRUE, predicted).numpy(), plain, rtol=2e-6)
    np.testing.assert_allclose(loss(TRUE, predicted, WEIGHTS).numpy(), weighted, rtol=2e-6)


@pytest.mark.parametrize("reduction", SQUARES)
def test_mean_of_squares(reduction: str | None) -> None:
    loss = MeanSquaredError(reduction=reduction)
    plain, weighted = SQUARES[reduction]
    true = PREDICTED[::-1]
    np.testing.assert_allclose(loss(true, PREDICTED).numpy(), plain, rtol=1e-6)
    np.testing.assert_allclose(loss(true, PREDICTED, WEIGHTS).numpy(), weighted, rtol=1e-6)


def test_mismatched_arguments_are_refused() -> None:
    with pytest.raises(ArgumentValueError, match="reduction must be one of"):
        MeanSquaredError(reduction="median")
    with pytest.raises(ShapeError, match="one axis less"):
        SparseCategoricalCrossentropy()(np.zeros((2, 3, 4), int), PREDICTED)
    with pytest.raises(ShapeError, match="mean_squared_error"):
        MeanSquaredError()(rt.zeros([2, 3]), rt.zeros([2, 4]))


# keras.losses of np.ones((4, 1)) and np.arange(12.0).reshape(4, 3), both ways (Keras 3.15).
BROADCAST = {
    "MeanSquaredError": (32.166664, 32.166664),
    "MeanAbsoluteError": (4.666667, 4.666667),
    "Huber": (4.208333, 4.208333),
    "LogCosh": (4.0541873, 4.0541873),
    "MeanSquaredLogarithmicError": (1.4693484, 1.4693484),
    "MeanAbsolutePercentageError": (466.6667, 8.333339e07),
    "Poisson": (5.384649, 0.99999934),
    "KLDivergence": (4.029524, -4.029524e-07),
    "Hinge": (0.083333336, 0.083333336),
    "CosineSimilarity": (-1.6213474, -1.6213474),
}


@pytest.mark.parametrize("name", BROADCAST)
def test_a_column_is_compared_with_each_of_several(name: str) -> None:
    column = np.ones((4, 1), np.float32)
    several = np.arange(12, dtype=np.float32).reshape(4, 3)
    loss = getattr(rt.nn.losses, name)()
    found = (float(loss(column, several)), float(loss(several, column)))
    np.testing.assert_allclose(BROADCAST[name], found, rtol=1e-5)


def test_shapes_that_do_not_broadcast_in_keras_are_refused() -> None:
    column, several = np.ones((4, 1)), np.ones((4, 3))
    for name in ("MeanSquaredError", "Huber", "Poisson"):
        for y_true in (np.ones(4), np.ones((2, 3))):
            with pytest.raises(ShapeError, match="compares tensors of one shape"):
                getattr(rt.nn.losses, name)()(y_true, several)
    with pytest.raises(ShapeError, match="binary_crossentropy compares tensors of one shape"):
        rt.nn.losses.BinaryCrossentropy()(column, several)
    with pytest.raises(ShapeError, match="for class numbers, take the sparse loss"):
        rt.nn.losses.CategoricalCrossentropy()(np.array([0, 1, 2, 1]), several)
    assert 0.0 == float(rt.nn.metrics.RootMeanSquaredError()(column, several))
    assert 0.0 == float(rt.nn.metrics.MeanSquaredError()(column, several))


def test_string_labels_raise_an_error_with_advice():
    loss = rt.nn.losses.SparseCategoricalCrossentropy()
    with pytest.raises(rt.errors.DTypeError, match=r"not texts: write np.unique\(labels, return"):
        loss(rt.constant(["cat", "dog"]), rt.ones([2, 3]))
