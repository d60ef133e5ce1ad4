"""Attention of several heads: values and gradients recorded from Keras 3.15 on TensorFlow 2.21.

Queries, values and keys are `some((2, *shape), n)`, weights `weight_values`, and gradients those of
the sum of the output times `output_weights`; recorded are sketches (see sketches.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers import Embedding, MultiHeadAttention
from tests.runtime.nn.layers.sketches import output_weights, path_of, sketch, some, weight_values

PAIRS = [
    [[1, 0, 1, 1, 0], [0, 1, 1, 1, 1], [1, 1, 1, 0, 0]],
    [[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [1, 0, 0, 0, 1]],
]


class Heads(NamedTuple):
    """Arguments, shapes of inputs, options of the call, and the results of Keras."""

    arguments: dict[str, Any]
    shapes: list[tuple[int, ...]]
    told: dict[str, Any]
    scores_shape: tuple[int, ...]
    output: list[float]
    scores: list[float]
    gradients: list[list[float]]


CASES = [
    Heads(
        {"num_heads": 2, "key_dim": 3},
        [(3, 4), (5, 4)],
        {},
        (2, 2, 3, 5),
        [250.228, 8.23623, -22.2885],
        [1.49883, 3.57766, 1.22392],
        [
            [8.16162, 1.47102, 3.68521],
            [-129.534, 10.0415, 37.878],
            [3.33661, 8.02501, 7.52559],
            [0.058491, 3.74661, 2.10558],
            [-9.66975, 0.471712, 0.296447],
            [0.0, 0.0, 0.0],
            [-58.5657, 1.16682, -6.19586],
            [6.69279, 1.74635, 1.20808],
            [3.9044, 36.2059, 11.9707],
            [-0.45261, 8.37963, 6.66099],
        ],
    ),
    Heads(
        {"num_heads": 2, "key_dim": 3, "value_dim": 2, "output_shape": (2, 3), "use_bias": False},
        [(4, 3), (4, 2), (4, 5)],
        {"use_causal_mask": True},
        (2, 2, 4, 4),
        [114.188, 13.2796, -3.89738],
        [-0.225565, 15.077, 0.387158],
        [
            [28.7845, -33.6134, 12.3632],
            [-31.4597, -6.63226, 91.7973],
            [-27.3462, -12.0585, 106.786],
            [39.0219, 42.6084, 3.19412],
            [-79.5322, 17.4442, 0.0396109],
            [-3.01068, -89.4445, -26.7546],
            [-12.3486, -2.6952, -54.0914],
        ],
    ),
    Heads(
        {"num_heads": 2, "key_dim": 2, "attention_axes": (2,)},
        [(2, 3, 4), (2, 5, 4)],
        {},
        (2, 2, 2, 3, 5),
        [302.692, 9.99953, 21.9903],
        [-0.23674, -1.80536, -1.9298],
        [
            [-6.66472, -1.14679, -4.00864],
            [100.177, 11.6901, 14.4895],
            [6.75192, -3.62626, -8.37861],
            [0.0929156, 5.55893, 2.19254],
            [-13.808, 0.810643, -3.38199],
            [0.0, 0.0, 0.0],
            [16.2809, -0.774833, -24.3388],
            [0.263397, -0.0400156, -0.0861099],
            [0.959975, 42.1187, -67.8881],
            [0.297837, -1.65082, -0.656244],
        ],
    ),
    Heads(
        {"num_heads": 1, "key_dim": 2},
        [(3, 4), (5, 4)],
        {
            "attention_mask": np.array(PAIRS, np.bool_),
            "value_mask": np.array([[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]], np.bool_),
        },
        (2, 1, 3, 5),
        [38.4716, 3.66255, -5.48419],
        [0.0165054, 1.64351, 2.25951],
        [
            [-1.06062, 0.171522, 0.0258436],
            [31.6696, 7.37971, -5.02317],
            [-1.62311, 12.2773, 5.04087],
            [-0.156751, 0.975415, 0.702326],
            [2.27357, 0.236036, -1.36277],
            [0.0, 0.0, 0.0],
            [7.7275, -4.61199, -14.0707],
            [-0.643869, -1.4262, -2.50174],
            [2.64689, -24.2068, 5.37912],
            [-0.45261, 8.37963, 6.66099],
        ],
    ),
    Heads(
        {"num_heads": 2, "key_dim": 3, "use_gate": True, "value_dim": 2},
        [(3, 4), (5, 4)],
        {},
        (2, 2, 3, 5),
        [121.627, 8.48066, -29.9118],
        [1.49883, 3.57766, 1.22392],
        [
            [-1.12872, -2.41138, -11.4223],
            [5.78804, -0.106832, 14.1934],
            [-12.3532, -14.6767, 2.70072],
            [-1.11276, 1.51754, 2.61801],
            [5.21679, 0.946723, 3.05516],
            [0.0, 0.0, 0.0],
            [-7.65591, -0.372433, -11.6131],
            [-0.847912, 0.774801, -1.19995],
            [2.49977, 0.221556, 9.26455],
            [2.03161, 3.05132, 5.0846],
            [21.6639, 1.00737, 17.7694],
            [-0.45261, 8.37963, 6.66099],
        ],
    ),
    Heads(
        {"num_heads": 1, "key_dim": 2, "sliding_window": 2},
        [(5, 3), (5, 3)],
        {"use_causal_mask": True},
        (2, 1, 5, 5),
        [-23.5112, 17.1656, 0.744908],
        [1.49059, -0.54884, -0.83213],
        [
            [0.134277, -0.537572, -0.0310003],
            [5.95046, -1.27611, -3.57033],
            [0.450622, 0.0494257, -0.182927],
            [-0.0299447, -0.0289954, -0.0793334],
            [0.0932453, 0.0494967, 0.0172718],
            [0.0, 0.0, 0.0],
            [2.33116, 0.823514, -1.97557],
            [-0.253536, -0.0972728, -0.524734],
            [-1.7926, 4.79602, 14.2127],
            [-0.237733, 4.20714, 3.16261],
        ],
    ),
    Heads(
        {"num_heads": 1, "key_dim": 2, "sliding_window": 3},
        [(5, 3), (5, 3)],
        {},
        (2, 1, 5, 5),
        [-21.9282, 18.5326, -10.2374],
        [3.34314, 3.50553, -6.45124],
        [
            [-13.0709, 7.2243, -2.4962],
            [67.9716, 0.40771, -6.78679],
            [14.0659, 8.48745, 1.14621],
            [0.516315, 2.52157, 3.37232],
            [-3.72718, -4.1122, -2.90817],
            [0.0, 0.0, 0.0],
            [2.76757, 9.23712, 7.40105],
            [-0.253536, -0.0972733, -0.524735],
            [-2.36746, 63.2791, 67.97],
            [-0.237733, 4.20714, 3.16261],
        ],
    ),
    Heads(
        {"num_heads": 2, "key_dim": 2},
        [(2, 3, 4), (2, 3, 4)],
        {},
        (2, 2, 2, 3, 2, 3),
        [365.129, 5.486, 9.94995],
        [3.94921, -3.41946, -0.0338643],
        [
            [-4.10306, -2.30793, -11.6661],
            [-114.829, -6.34016, -21.5786],
            [1.31211, -2.23729, -33.5805],
            [0.0291878, -5.48849, -0.0221189],
            [9.52162, -6.17754, 8.15749],
            [0.0, 0.0, 0.0],
            [6.773, 1.94396, 22.1726],
            [0.263398, -0.040013, -0.0861072],
            [1.71125, -15.4383, -1.37732],
            [0.297837, -1.65082, -0.656244],
        ],
    ),
]
pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
EVERY = pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.arguments))


def _inputs(case: Heads) -> list[Any]:
    return [rt.constant(some((2, *shape), n)) for n, shape in enumerate(case.shapes)]


def _ready(case: Heads) -> Any:
    layer = MultiHeadAttention(**case.arguments)
    layer(*_inputs(case))
    layer.set_weights(weight_values([tuple(each.shape) for each in layer.weights]))
    return layer


@EVERY
def test_attention_agrees_with_keras(case: Heads) -> None:
    layer, inputs = _ready(case), _inputs(case)
    with rt.GradientTape() as tape:
        tape.watch(inputs)
        output, scores = layer(*inputs, return_attention_scores=True, **case.told)
        total = rt.reduce_sum(output * output_weights(tuple(output.shape)))
    assert case.scores_shape == tuple(scores.shape)
    np.testing.assert_allclose(sketch(output), case.output, rtol=2e-5)
    np.testing.assert_allclose(sketch(scores), case.scores, rtol=2e-5, atol=2e-5)
    found = tape.gradient(total, [*inputs, *layer.trainable_weights])
    sketches = np.array([sketch(each) for each in found])
    np.testing.assert_allclose(sketches, case.gradients, rtol=2e-4, atol=1e-4)


@EVERY
def test_attention_agrees_in_a_graph_and_restored_from_its_config(case: Heads) -> None:
    layer, inputs = _ready(case), _inputs(case)
    expected = layer(*inputs, **case.told).numpy()
    again = MultiHeadAttention.from_config(layer.get_config())
    again.build(*(tuple(each.shape) for each in inputs))
    assert [path_of(each) for each in layer.weights] == [path_of(each) for each in again.weights]
    again.set_weights(layer.get_weights())
    specs = [rt.TensorSpec((None, *each.shape[1:]), each.dtype) for each in inputs]

    @ag.function(input_signature=specs)
    def staged(*given: Any) -> Any:
        return again(*given, **case.told)

    np.testing.assert_allclose(staged(*inputs).numpy(), expected, rtol=1e-5, atol=1e-6)


def test_weights_have_the_order_of_keras() -> None:
    layer = MultiHeadAttention(2, 3, name="heads")
    layer(rt.ones([2, 3, 4]), rt.ones([2, 5, 4]))
    expected = [
        *("heads/query/kernel", "heads/query/bias", "heads/key/kernel", "heads/key/bias"),
        *("heads/value/kernel", "heads/value/bias"),
        *("heads/attention_output/kernel", "heads/attention_output/bias"),
    ]
    assert expected == [path_of(each) for each in layer.weights]


def test_a_trace_creates_the_weights_of_all_projections() -> None:
    layer = MultiHeadAttention(2, 3)

    @ag.function
    def staged(query: Any, value: Any) -> Any:
        return layer(query, value=value)

    query, value = rt.constant(some((2, 3, 4), 0)), rt.constant(some((2, 5, 4), 1))
    found = staged(query, value).numpy()
    assert 8 == len(layer.weights)
    np.testing.assert_allclose(layer(query, value).numpy(), found, rtol=1e-5, atol=1e-6)


def test_masks_of_inputs_are_used() -> None:
    words = Embedding(5, 4, mask_zero=True)
    layer = MultiHeadAttention(1, 2)
    long, short = words([[1, 2, 0]]), words([[1, 2]])
    found = layer(long, long).numpy()[:, :2]
    np.testing.assert_allclose(layer(short, short).numpy(), found, rtol=1e-5, atol=1e-6)


def test_dropout_applies_in_training_only() -> None:
    layer, x = MultiHeadAttention(1, 2, dropout=0.9, seed=1), rt.constant(some((2, 3, 4), 0))
    calm = layer(x, x).numpy()
    np.testing.assert_array_equal(calm, layer(x, x, training=False).numpy())
    assert not np.allclose(calm, layer(x, x, training=True).numpy())


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ArgumentValueError, match="flash_attention"):
        MultiHeadAttention(1, 2, flash_attention=True)
    with pytest.raises(ArgumentValueError, match="sliding_window"):
        MultiHeadAttention(1, 2, sliding_window=0)
    with pytest.raises(ArgumentValueError, match="num_heads"):
        MultiHeadAttention(0, 2)
    with pytest.raises(ArgumentValueError, match="attention_axes"):
        MultiHeadAttention(1, 2, attention_axes=5)(rt.ones([2, 3, 4]), rt.ones([2, 3, 4]))
    with pytest.raises(ShapeError, match="three axes"):
        MultiHeadAttention(1, 2)(rt.ones([2, 3]), rt.ones([2, 3]))
