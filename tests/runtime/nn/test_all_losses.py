"""Every loss against numbers of Keras 3.15: of a batch, of each item, and with weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import losses

NUMBERS = np.array([[1.0, 2.0, 3.5], [0.5, -1.0, 2.0]], np.float32)
VALUES = {
    "N": NUMBERS,
    "A": np.abs(NUMBERS),
    "M": np.array([[1.5, 0.0, 3.0], [2.5, -2.0, 2.25]], np.float32),
    "B": np.array([[0, 1, 1], [1, 0, 0]], np.float32),
    "P": np.array([[0.2, 0.7, 0.1], [0.5, 0.25, 0.25]], np.float32),
    "C": np.array([[0, 1, 0], [0, 0, 1]], np.float32),
    "K": np.array([1, 2]),
}
WEIGHTS = np.array([2.0, 0.5], np.float32)
BALANCED = (
    "BinaryFocalCrossentropy(apply_class_balancing=True, alpha=0.3, gamma=1.5, from_logits=True, "
    "label_smoothing=0.1)"
)
# The loss, y_true and y_pred, l(y_true, y_pred), the same with reduction="none", and with
# sample_weight=WEIGHTS, which does not fit what is reduced along axis 0.
RECORDED = [
    ("MeanSquaredError()", "NM", 1.59375, [1.5, 1.6875], 1.921875),
    ("MeanAbsoluteError()", "NM", 1.0416667, [1.0, 1.0833334], 1.2708334),
    ("MeanAbsolutePercentageError()", "NM", 112.79762, [54.761906, 170.83334], 97.470245),
    ("MeanSquaredLogarithmicError()", "NM", 0.33248916, [0.42353821, 0.24144013], 0.48389825),
    ("Huber()", "NM", 0.63020831, [0.58333331, 0.67708331], 0.75260413),
    ("Huber(delta=0.4)", "NM", 0.33854169, [0.32000002, 0.35708332], 0.40927085),
    ("LogCosh()", "NM", 0.55915749, [0.52174389, 0.59657115], 0.6708867),
    ("CosineSimilarity()", "NM", -0.86288977, [-0.86141104, -0.86436856], -1.0775032),
    ("CosineSimilarity(axis=0)", "NM", -0.761051, [-0.84366155, -0.44721359, -0.99227792], None),
    ("KLDivergence()", "BP", 1.6762013, [2.6592586, 0.6931442], 2.8325446),
    ("Poisson()", "AP", 2.814548, [3.7939441, 1.8351518], 4.2527323),
    ("Hinge()", "BM", 1.125, [1.1666666, 1.0833334], 1.4375),
    ("SquaredHinge()", "BM", 2.96875, [2.4166667, 3.5208333], 3.296875),
    ("CategoricalHinge()", "CM", 2.625, [4.0, 1.25], 4.3125),
    ("BinaryCrossentropy()", "BP", 0.69181913, [0.96080118, 0.42283711], 1.0665104),
    (
        "BinaryCrossentropy(from_logits=True, label_smoothing=0.2)",
        "BM",
        0.89569533,
        [0.86438257, 0.92700815],
        1.0961347,
    ),
    ("BinaryCrossentropy(axis=0)", "BP", 0.69181919, [0.45814535, 0.32217854, 1.2951336], None),
    ("BinaryFocalCrossentropy()", "BP", 0.35256121, [0.63537341, 0.06974902], 0.65281069),
    (
        BALANCED,
        "BM",
        0.34755477,
        [0.28354126, 0.41156828],
        0.38643333,
    ),
    ("CategoricalCrossentropy()", "CP", 0.87148464, [0.35667497, 1.3862944], 0.70324856),
    (
        "CategoricalCrossentropy(from_logits=True, label_smoothing=0.3)",
        "CM",
        2.0117383,
        [2.7913113, 1.2321653],
        3.0993526,
    ),
    ("CategoricalCrossentropy(axis=0)", "CP", 0.21395129, [-0.0, 0.30538166, 0.33647221], None),
    ("CategoricalFocalCrossentropy()", "CP", 0.10148641, [0.0080251871, 0.19494765], 0.056762099),
    (
        "CategoricalFocalCrossentropy(alpha=0.5, gamma=1.0, from_logits=True, label_smoothing=0.1)",
        "CM",
        0.89303935,
        [1.4782467, 0.307832],
        1.5552046,
    ),
    (
        "CategoricalGeneralizedCrossEntropy(q=0.7)",
        "KP",
        0.60143924,
        [0.31563443, 0.88724411],
        0.53744543,
    ),
    ("SparseCategoricalCrossentropy()", "KP", 0.87148464, [0.35667497, 1.3862944], 0.70324856),
    ("Dice()", "BP", 0.48000002, 0.48000001907348633, 0.60000002),
    ("Dice(axis=-1)", "BP", 0.48333332, [0.46666664, 0.5], 0.59166664),
    ("Tversky(alpha=0.3, beta=0.8)", "BP", 0.45147681, 0.4514768123626709, 0.56434602),
    ("Tversky(axis=-1)", "BP", 0.48333341, [0.46666676, 0.50000006], 0.59166676),
]
CASES = [(text, VALUES[given[0]], VALUES[given[1]], *row) for text, given, *row in RECORDED]


# keras.losses.Circle(...)([0, 0, 1, 1], VECTORS), with reduction=None, too.
VECTORS = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [0.8, 0.6]], np.float32)
CIRCLES = [
    ({}, 49.664005279541016, [38.400001525878906, 60.928009033203125]),
    ({"gamma": 1.0}, 1.4017105102539062, [1.2436408996582031, 1.5597801208496094]),
    (
        {"gamma": 2.0, "margin": 0.1, "remove_diagonal": False},
        2.8025999069213867,
        [2.442203998565674, 3.1629958152770996],
    ),
]


@pytest.mark.parametrize(("options", "batch", "each"), CIRCLES)
def test_circle_loss_agrees_with_keras(options: Any, batch: float, each: list[float]) -> None:
    labels = np.array([0, 0, 1, 1])
    np.testing.assert_allclose(losses.Circle(**options)(labels, VECTORS).numpy(), batch, rtol=2e-6)
    found = losses.Circle(**options, reduction=None)(labels[:, None], VECTORS)
    np.testing.assert_allclose(found.numpy(), each * 2, rtol=2e-6)
    # The third has no other of its class, so its loss is 0, and does not count.
    alone = losses.Circle(gamma=1.0)(labels[:3], VECTORS[:3])
    np.testing.assert_allclose(alone.numpy(), 0.7890093326568604, rtol=2e-6)


def rebuilt_loss(text: str, **options: Any) -> Any:
    loss = eval(f"losses.{text}")
    return type(loss).from_config({**loss.get_config(), **options})


@pytest.mark.parametrize(("text", "true", "predicted", "batch", "each", "weighted"), CASES)
def test_a_loss_agrees_with_keras(
    text: str, true: Any, predicted: Any, batch: float, each: Any, weighted: float | None
) -> None:
    loss = eval(f"losses.{text}")
    np.testing.assert_allclose(loss(true, predicted).numpy(), batch, rtol=2e-6)
    items = rebuilt_loss(text, reduction="none")(true, predicted)
    np.testing.assert_allclose(items.numpy(), each, rtol=2e-6, atol=2e-7)
    if weighted is not None:
        found = loss(true, predicted, sample_weight=WEIGHTS)
        np.testing.assert_allclose(found.numpy(), weighted, rtol=2e-6)
    in_graph = ag.function(loss.__call__)(rt.constant(true), rt.constant(predicted))
    np.testing.assert_allclose(in_graph.numpy(), batch, rtol=2e-6)


@pytest.mark.parametrize(("text", "true", "predicted"), [case[:3] for case in CASES])
def test_gradients_agree_with_finite_differences(text: str, true: Any, predicted: Any) -> None:
    loss = rebuilt_loss(text, dtype="float64", reduction="sum")
    # Beside places where a hinge or a size has a kink.
    point = predicted.astype(np.float64) * 1.01 + 0.003
    with rt.GradientTape() as tape:
        x = rt.constant(point)
        tape.watch(x)
        value = loss(true, x)
    found, expected = tape.gradient(value, x).numpy(), np.zeros_like(point)
    for place in np.ndindex(point.shape):
        ahead, behind = point.copy(), point.copy()
        ahead[place] += 1e-6
        behind[place] -= 1e-6
        expected[place] = (float(loss(true, ahead)) - float(loss(true, behind))) / 2e-6
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("text", [case[0] for case in CASES])
def test_a_loss_is_restored_from_its_config(text: str) -> None:
    loss = eval(f"losses.{text}")
    again = losses.deserialize(losses.serialize(loss))
    assert type(loss) is type(again)
    assert loss.get_config() == again.get_config()


@pytest.mark.parametrize("shape", [(None, 3), (None, None), None])
def test_losses_of_unknown_shapes_agree(shape: Any) -> None:
    for text, true, predicted, batch, *_ in CASES:
        loss = eval(f"losses.{text}")
        if true.ndim == 2:
            spec = rt.TensorSpec(shape, "float32")
            run = ag.function(loss.__call__).get_concrete_function(spec, spec)
            found = run(rt.constant(true), rt.constant(predicted)).numpy()
            np.testing.assert_allclose(found, batch, rtol=2e-6, err_msg=text)


def test_names_and_short_names() -> None:
    short = {"mse": "mean_squared_error", "mae": "mean_absolute_error", "kld": "kl_divergence"}
    for name, whole in {
        **short,
        "bce": "binary_crossentropy",
        "MSLE": "mean_squared_logarithmic_error",
        "mape": "mean_absolute_percentage_error",
    }.items():
        assert getattr(losses, whole) is losses.get(name) is losses.get(whole)
    assert isinstance(losses.get("Huber"), losses.Huber)
    assert isinstance(losses.get(losses.Hinge), losses.Hinge)
    assert losses.get(None) is None
    assert "huber_loss" == losses.Huber().name
    assert "mean_squared_error" == losses.serialize(losses.get("mse"))


def test_integers_and_columns_are_aligned() -> None:
    assert 1.0 == float(losses.MeanAbsoluteError()([1, 2], [2, 3]))
    column = losses.mean_squared_error([1.0, 2.0], [[1.0], [3.0]])
    np.testing.assert_array_equal([0.0, 1.0], column.numpy())
    assert 0.0 == float(losses.BinaryCrossentropy()([True, False], [[1.0], [0.0]]).numpy().round(6))


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: losses.hinge(rt.zeros([2, 3]), rt.zeros([2, 4])), ShapeError, "hinge compares"),
        (
            lambda: losses.BinaryCrossentropy(label_smoothing=2)([0], [0.5]),
            ArgumentValueError,
            "label_smoothing must be from 0 to 1",
        ),
        (
            lambda: losses.CategoricalGeneralizedCrossEntropy(q=1.0),
            ArgumentValueError,
            "q must be between",
        ),
        (lambda: losses.get("mean_square_error"), ArgumentValueError, "did you mean"),
        (lambda: losses.get(5), ArgumentValueError, "is not a loss"),
        (
            lambda: losses.categorical_crossentropy([1, 2], [[0.5, 0.5], [0.5, 0.5]]),
            ShapeError,
            "categorical_crossentropy compares",
        ),
        (
            lambda: losses.MeanSquaredError(reduction="avg"),
            ArgumentValueError,
            "reduction must be one",
        ),
        (
            lambda: losses.MeanSquaredError()(rt.zeros([2, 3]), rt.zeros([2, 3]), rt.zeros([5])),
            ShapeError,
            "shape",
        ),
    ],
)
def test_mismatched_arguments_are_refused(make: Any, kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        make()
