"""Normalization by the moments of adapted data: as recorded from Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn.layers import Normalization

DATA = np.arange(12, dtype=np.float32).reshape(4, 3) / 10


def test_moments_are_those_of_the_data() -> None:
    layer = Normalization()
    layer.adapt(DATA)
    np.testing.assert_allclose(layer.adapt_mean.numpy(), [0.45, 0.55, 0.65], rtol=1e-6)
    np.testing.assert_allclose(layer.adapt_variance.numpy(), [0.1125] * 3, rtol=1e-6)
    found = layer(DATA[:2]).numpy()
    np.testing.assert_allclose(found, [[-1.341641] * 3, [-0.4472136] * 3], rtol=1e-5)
    whole = Normalization(axis=None)
    whole.adapt(DATA)
    np.testing.assert_allclose(float(whole.mean), 0.55, rtol=1e-6)
    np.testing.assert_allclose(float(whole.variance), 0.11916667, rtol=1e-6)


def test_several_axes_keep_their_own_moments() -> None:
    layer = Normalization(axis=(1, 2))
    layer.adapt(np.arange(24, dtype=np.float32).reshape(4, 3, 2) / 10)
    assert (1, 3, 2) == tuple(layer.mean.shape)
    np.testing.assert_allclose(
        layer.mean.numpy().ravel(), [0.9, 1.0, 1.1, 1.2, 1.3, 1.4], rtol=1e-6
    )


def test_batches_are_weighted_by_their_size() -> None:
    rows = DATA.reshape(6, 2)
    for batches in (rt.data.Dataset.from_tensor_slices(rows).batch(4), [rows[:1], rows[1:]]):
        layer = Normalization()
        layer.adapt(batches)
        np.testing.assert_allclose(layer.adapt_mean.numpy(), [0.5, 0.6], rtol=1e-6)
        np.testing.assert_allclose(layer.adapt_variance.numpy(), [0.11666667] * 2, rtol=1e-6)


def test_a_later_adapt_changes_a_traced_graph() -> None:
    layer = Normalization()
    layer.adapt(DATA)

    @ag.function
    def staged(x: Any) -> Any:
        return layer(x)

    staged(DATA)
    layer.adapt(DATA * 2 + 1)
    np.testing.assert_allclose(staged(DATA).numpy(), layer(DATA).numpy(), rtol=1e-6)
    np.testing.assert_allclose(layer(DATA * 2 + 1).numpy().mean(), 0, atol=1e-6)


def test_the_inverse_restores_the_data() -> None:
    there, back = Normalization(), Normalization(invert=True)
    for layer in (there, back):
        layer.adapt(DATA)
    np.testing.assert_allclose(back(there(DATA)).numpy(), DATA, rtol=1e-5, atol=1e-6)


def test_wrong_data_are_refused() -> None:
    with pytest.raises(ArgumentValueError, match="cannot adapt"):
        Normalization(mean=1.0, variance=2.0).adapt(DATA)
    with pytest.raises(DTypeError, match="np.array"):
        Normalization().adapt([[1.0, 2.0]])
    with pytest.raises(DTypeError, match="an array or batches"):
        Normalization().adapt(3)
    with pytest.raises(ArgumentValueError, match="the data is empty"):
        Normalization().adapt([])


def test_layers_scale_by_deviations_alone() -> None:
    layer = rt.nn.layers.LayerNormalization(rms_scaling=True)
    layer = rt.nn.layers.LayerNormalization.from_config(layer.get_config())
    # The mean is left in, as in Keras; the variance is that around it.
    np.testing.assert_allclose(layer([[1.0, 3.0]]), [[0.9995004, 2.9985011]], rtol=1e-5)
    assert ["gamma"] == [each.name for each in layer.weights]
