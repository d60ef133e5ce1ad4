"""Masks of layers agree with Keras 3.15; literals are recorded from it on these inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.nn import Sequential, layers
from runtime.nn.layers.masks import mask_of, put_mask

X = np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 10
MASK = np.array([[1, 0, 1], [1, 1, 0]], np.bool_)
OTHER = np.array([[1, 1, 0], [0, 1, 0]], np.bool_)
THIRD = np.array([[0, 1, 0], [0, 1, 0]], np.bool_)


def masked(value: Any, mask: Any) -> Any:
    tensor = rt.identity(rt.constant(value))
    if mask is not None:
        put_mask(tensor, rt.constant(mask))
    return tensor


def mask_values(mask: Any) -> Any:
    return None if mask is None else mask.numpy().astype(int).tolist()


@pytest.mark.parametrize("kind", ["Add", "Subtract", "Average", "Maximum", "Minimum", "Multiply"])
def test_a_merged_mask_is_the_union_of_masks(kind: str) -> None:
    found = getattr(layers, kind)()([masked(X, MASK), masked(X + 1, OTHER)])
    assert [[1, 1, 1], [1, 1, 0]] == mask_values(mask_of(found))
    assert mask_of(getattr(layers, kind)()([masked(X, MASK), masked(X + 1, None)])) is None


# keras.layers.<kind>()([x * 2 + 1, x * 3 + 2, ...]), x = 0, 0.1, ..., 0.5, masked by these numbers.
MERGED = {
    ("Multiply", 0, None): [2.0, 2.3, 3.64, 4.64, 5.76, 3.5],
    ("Multiply", None, 0): [2.0, 1.2, 3.64, 4.64, 5.76, 2.0],
    ("Multiply", 0, 1, 2): [2.0, 7.82, 1.4, 1.6, 26.496, 0.0],
    ("Multiply", 0, None, 1): [6.0, 7.82, 3.64, 4.64, 26.496, 3.5],
    ("Maximum", 0, None): [2.0, 2.3, 2.6, 2.9, 3.2, 3.5],
    ("Maximum", None, 0): [2.0, 1.2, 2.6, 2.9, 3.2, 2.0],
    ("Maximum", 0, 1, 2): [2.0, 3.4, 1.4, 1.6, 4.6, 2.0],
    ("Maximum", 0, None, 1): [3.0, 3.4, 2.6, 2.9, 4.6, 3.5],
    ("Minimum", 0, None): [1.0, 2.3, 1.4, 1.6, 1.8, 3.5],
    ("Minimum", None, 0): [1.0, 1.2, 1.4, 1.6, 1.8, 2.0],
    ("Minimum", 0, 1, 2): [1.0, 2.3, 1.4, 1.6, 1.8, 2.0],
    ("Minimum", 0, None, 1): [1.0, 2.3, 1.4, 1.6, 1.8, 3.5],
}


@pytest.mark.parametrize("case", MERGED, ids=str)
def test_merging_layers_use_masks(case: Any) -> None:
    kind, *numbers = case
    x = np.arange(6, dtype=np.float32).reshape(2, 3, 1) / 10
    masks = [None if n is None else (MASK, OTHER, THIRD)[n] for n in numbers]
    inputs = [masked(x * (k + 2) + k + 1, mask) for k, mask in enumerate(masks)]
    found = getattr(layers, kind)()(inputs).numpy().ravel()
    np.testing.assert_allclose(found, MERGED[case], rtol=1e-6)


def test_concatenation_joins_masks() -> None:
    pair = [masked(X, MASK), masked(X + 1, OTHER)]
    half = [masked(X, MASK), masked(X + 1, None)]
    along = [[1, 0, 1, 1, 1, 0], [1, 1, 0, 0, 1, 0]]
    assert along == mask_values(mask_of(layers.Concatenate(axis=1)(pair)))
    assert [[1, 1, 1], [1, 1, 0]] == mask_values(mask_of(layers.Concatenate()(pair)))
    assert [[1, 1, 1], [1, 1, 1]] == mask_values(mask_of(layers.Concatenate()(half)))
    assert mask_of(layers.Concatenate()([masked(X, None), masked(X, None)])) is None


def test_global_pooling_averages_unmasked_steps() -> None:
    found = layers.GlobalAveragePooling1D()(masked(X, MASK))
    np.testing.assert_allclose(found.numpy(), [[0.2, 0.3], [0.7, 0.8]], rtol=1e-6)
    assert mask_of(found) is None
    first = X.reshape(2, 2, 3)
    found = layers.GlobalAveragePooling1D("channels_first")(first, mask=rt.constant(MASK))
    np.testing.assert_allclose(found.numpy(), [[0.1, 0.4], [0.65, 0.95]], rtol=1e-6)


def test_batch_normalization_uses_unmasked_moments() -> None:
    layer = layers.BatchNormalization()
    found = layer(masked(X, MASK), training=True)
    expected = [-1.512658, -1.512658, -0.840366, -0.840366, -0.168073, -0.168073]
    np.testing.assert_allclose(found.numpy().ravel()[:6], expected, rtol=1e-5)
    np.testing.assert_allclose(layer.moving_mean.numpy(), [0.0045, 0.0055], rtol=1e-5)
    np.testing.assert_allclose(layer.moving_variance.numpy(), [0.990875] * 2, rtol=1e-6)
    assert mask_values(rt.constant(MASK)) == mask_values(mask_of(found))


def test_a_softmax_is_0_where_it_is_masked() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3) / 10
    found = layers.Softmax()(x, mask=rt.constant(MASK)).numpy()
    expected = [[0.450166, 0.0, 0.549834], [0.475021, 0.524979, 0.0]]
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    found = layers.Softmax(axis=(1, 2))(x.reshape(1, 2, 3), mask=rt.constant(MASK[None])).numpy()
    expected = [[0.197508, 0.0, 0.241237], [0.266608, 0.294647, 0.0]]
    np.testing.assert_allclose(found[0], expected, rtol=1e-5)


def test_attention_uses_masks() -> None:
    query = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 10
    value = np.arange(40, dtype=np.float32).reshape(2, 5, 4) / 20
    of_value = np.array([[1, 1, 0, 1, 0], [1, 0, 1, 1, 1]], np.bool_)
    found = layers.Attention()([masked(query, MASK), masked(value, of_value)])
    expected = [
        [0.304844, 0.354844, 0.404844, 0.454844],
        [0.0, 0.0, 0.0, 0.0],
        [0.487316, 0.537316, 0.587316, 0.637316],
    ]
    np.testing.assert_allclose(found.numpy()[0], expected, rtol=1e-5)
    assert mask_values(rt.constant(MASK)) == mask_values(mask_of(found))
    _, scores = layers.Attention()(
        [query, value], use_causal_mask=True, return_attention_scores=True
    )
    expected = [[1.0, 0.0, 0.0, 0.0, 0.0], [0.391741, 0.608259, 0.0, 0.0, 0.0]]
    np.testing.assert_allclose(scores.numpy()[0, :2], expected, rtol=1e-5)


def test_masking_and_embedding_compute_masks() -> None:
    steps = rt.constant([[[0.0, 0.0], [0.0, 1.0], [2.0, 3.0]]])
    assert [[0, 1, 1]] == mask_values(mask_of(layers.Masking()(steps)))
    words = layers.Embedding(5, 2, mask_zero=True)([[3, 0, 1]])
    assert [[1, 0, 1]] == mask_values(mask_of(words))
    assert mask_of(layers.Embedding(5, 2)([[3, 0, 1]])) is None


def test_masks_are_propagated_through_a_model_in_a_graph() -> None:
    model = Sequential(
        [
            layers.Embedding(5, 2, mask_zero=True),
            layers.Dense(3),
            layers.LayerNormalization(),
            layers.GlobalAveragePooling1D(),
        ]
    )
    words = rt.constant([[3, 1, 0, 0], [2, 4, 4, 0]])
    expected = model(words).numpy()
    np.testing.assert_allclose(model(words[:1, :2]).numpy(), expected[:1], rtol=1e-5, atol=1e-6)

    @ag.function(input_signature=[rt.TensorSpec((None, None), rt.int32)])
    def staged(given: Any) -> Any:
        return model(given)

    np.testing.assert_allclose(staged(words).numpy(), expected, rtol=1e-5, atol=1e-6)


def test_a_lambda_layer_gets_and_computes_masks() -> None:
    layer = layers.Lambda(lambda x, mask: x * rt.cast(mask, rt.float32)[..., None])
    found = layer(masked(X, MASK)).numpy()
    np.testing.assert_allclose(found, X * MASK[..., None], rtol=1e-6)
    made = layers.Lambda(lambda x: x, mask=lambda x, before: x > 0.5)(rt.constant([0.0, 1.0]))
    assert [0, 1] == mask_values(mask_of(made))
