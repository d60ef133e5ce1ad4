"""Steps of training as ONNX models: all variables that a step writes are inputs and results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

ort = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

_SPECS = [rt.TensorSpec((None, 2), rt.float32)]


@pytest.mark.parametrize("optimizer", ("Adam", "AdamW", "SGD", "RMSprop"))
@pytest.mark.parametrize("in_loop", (False, True))
def test_steps_of_training_are_the_same(optimizer: str, in_loop: bool, tmp_path: Path) -> None:
    model = rt.nn.Sequential([rt.nn.layers.Dense(1, kernel_initializer="ones")])
    model(rt.zeros((1, 2)))
    weights = model.trainable_variables
    chosen = getattr(rt.nn.optimizers, optimizer)(0.1)
    chosen.build(weights)

    def step(x):
        with rt.GradientTape() as tape:
            loss = rt.reduce_mean(model(x) ** 2)
        chosen.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    def steps(x):
        last = rt.constant(0.0)
        for _ in rt.range(2):
            last = step(x)
        return last

    function = ag.function(steps if in_loop else step, input_signature=_SPECS)
    path = str(tmp_path / "step.onnx")
    ag.export(function, path, format="onnx")
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    held = {each.handle_name: each for each in [*model.variables, *chosen.variables]}
    names = [each.name for each in session.get_inputs()][1:]
    state = {name: np.asarray(held[name].numpy()) for name in names}
    x = np.array([[1.0, 2.0], [0.5, -1.0]], np.float32)
    for _ in range(4):
        found = session.run(None, {"x": x, **state})
        results = dict(zip([each.name for each in session.get_outputs()], found))
        state = {name: results[f"{name}:out"] for name in names}
        np.testing.assert_allclose(results["output_0"], function(rt.constant(x)), rtol=2e-5)


def _trained(model: Any, x: np.ndarray, path: str) -> None:
    """Compare three steps of training here and in the model, with all variables."""
    model(rt.constant(x))
    weights = model.trainable_variables

    def step(x):
        with rt.GradientTape() as tape:
            loss = rt.reduce_mean((model(x, training=True) - 1.0) ** 2)
        for weight, gradient in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.05 * gradient)
        return loss

    spec = rt.TensorSpec((None, *x.shape[1:]), x.dtype.name)
    function = ag.function(step, input_signature=[spec])
    report = ag.export(function, path, format="onnx")
    assert {each.subject for each in report.omissions} <= {"check"}
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    held = {each.handle_name: each for each in model.variables}
    names = [each.name for each in session.get_inputs()][1:]
    state = {name: np.asarray(held[name].numpy()) for name in names}
    for _ in range(3):
        found = session.run(None, {"x": x, **state})
        results = dict(zip([each.name for each in session.get_outputs()], found))
        state = {name: results[f"{name}:out"] for name in names}
        expected = function(rt.constant(x))
        np.testing.assert_allclose(results["output_0"], expected, rtol=2e-4, atol=1e-6)
    for name in names:
        np.testing.assert_allclose(state[name], held[name].numpy(), rtol=1e-3, atol=1e-5)


_layers = rt.nn.layers
IMAGES: dict[str, list[Any]] = {
    "pools": [
        _layers.Conv2D(4, 3, activation="relu"),
        _layers.MaxPooling2D(2),
        _layers.Conv2D(3, 3, padding="same", strides=2),
        _layers.AveragePooling2D(2, padding="same"),
    ],
    "groups": [_layers.DepthwiseConv2D(3, depth_multiplier=2), _layers.GlobalMaxPooling2D()],
    "separable": [_layers.SeparableConv2D(4, 3), _layers.LayerNormalization()],
    "transposed": [
        _layers.Conv2DTranspose(3, 3, strides=2),
        _layers.UpSampling2D(2),
        _layers.ZeroPadding2D(1),
        _layers.Cropping2D(2),
    ],
}


@pytest.mark.parametrize("name", IMAGES)
def test_networks_of_images_are_trained_as_here(name: str, tmp_path: Path) -> None:
    rt.random.set_seed(1)
    model = rt.nn.Sequential([*IMAGES[name], _layers.Flatten(), _layers.Dense(2)])
    x = np.random.default_rng(1).normal(size=(3, 8, 8, 3)).astype(np.float32)
    _trained(model, x, str(tmp_path / "step.onnx"))


@pytest.mark.parametrize("kind", ("LSTM", "GRU", "SimpleRNN"))
def test_recurrent_layers_are_trained_as_here(kind: str, tmp_path: Path) -> None:
    rt.random.set_seed(1)
    first = _layers.Bidirectional(getattr(_layers, kind)(3, return_sequences=True))
    layers = [_layers.Embedding(7, 3), first, getattr(_layers, kind)(2), _layers.Dense(1)]
    x = np.array([[1, 2, 2, 5], [6, 0, 1, 3]], np.int32)
    _trained(rt.nn.Sequential(layers), x, str(tmp_path / "step.onnx"))


def test_embeddings_are_trained_as_here(tmp_path: Path) -> None:
    rt.random.set_seed(1)
    layers = [_layers.Embedding(7, 3), _layers.GlobalAveragePooling1D(), _layers.Dense(1)]
    x = np.array([[1, 2, 2], [6, 0, 1]], np.int32)
    _trained(rt.nn.Sequential(layers), x, str(tmp_path / "step.onnx"))


@pytest.mark.parametrize(
    "read",
    (
        lambda x: x[1:, ::-2] ** 2,
        lambda x: x[-1, rt.newaxis] ** 2,
        lambda x: rt.gather(x, [2, 0, 2], axis=1) ** 2,
        lambda x: rt.gather(x, [[1], [1], [0]], axis=1, batch_dims=1) ** 2,
        lambda x: rt.gather_nd(x, [[0, 1], [0, 1], [2, 2]]) ** 2,
        lambda x: rt.boolean_mask(x, x > 0.0) ** 2,
        lambda x: rt.slice(x, [1, 0], [2, 2]) ** 2,
        lambda x: rt.pad(x, [[1, 2], [0, 1]], "REFLECT") ** 2,
        lambda x: rt.pad(x, [[3, 2], [0, 1]], "SYMMETRIC") ** 2,
        lambda x: rt.set_item(x * 2.0, rt.constant([2, 0, -1]), x[:, ::-1]) ** 2,
        lambda x: rt.set_item(x * 2.0, rt.constant([[1], [1]]), x[0]) ** 2,
        lambda x: rt.set_item(x * 2.0, x > 0.7, x[0, 1]) ** 2,
        lambda x: rt.set_item(x * 2.0, (slice(1, None), rt.constant([2, 0, 2])), x[1:]) ** 2,
        lambda x: rt.set_item(x * 2.0, (..., rt.constant([[1], [-1]])), x[0, 0]) ** 2,
        lambda x: (
            rt.set_item(x * 2.0, (rt.constant([[1], [0]]), rt.constant([2, 0])), x[1, 1]) ** 2
        ),
        lambda x: rt.set_item(x * 2.0, (1, rt.constant([2, 0, 2])), x[2]) ** 2,
        lambda x: x[rt.constant([0, 2, 0]), rt.constant([1, 1, 1])] ** 2,
        lambda x: rt.tile(x, [2, 3]) ** 3,
        lambda x: rt.repeat(x, [1, 0, 2], axis=0) ** 2,
        lambda x: rt.sort(x, axis=0) * rt.range(3.0),
        lambda x: rt.nn.top_k(x, 2).values ** 2,
        lambda x: rt.linalg.diag_part(x) ** 2,
        lambda x: rt.math.cumprod(x, axis=1, reverse=True) ** 2,
        lambda x: rt.concat([x, x * x], 0)[2:] ** 2,
        lambda x: rt.einsum("ij,jk->k", x, x),
        lambda x: rt.einsum("ii->i", x) ** 2,
        lambda x: rt.reduce_max(x, 1) ** 2,
    ),
)
def test_the_gradient_of_a_read_is_the_same(read: Callable[[Any], Any], tmp_path: Path) -> None:
    def slope(x):
        with rt.GradientTape() as tape:
            tape.watch(x)
            total = rt.reduce_sum(read(x))
        return tape.gradient(total, x)

    x = np.array([[0.5, -1.0, 2.0], [3.0, 0.25, -0.5], [1.0, 1.5, -2.0]], np.float32)
    path = str(tmp_path / "slope.onnx")
    concrete = ag.function(slope).get_concrete_function(rt.TensorSpec((None, 3), rt.float32))
    ag.export(concrete, path, format="onnx")
    (found,) = ort.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, {"x": x})
    np.testing.assert_allclose(found, slope(rt.constant(x)), rtol=2e-5, atol=1e-6)


def test_the_loss_of_a_gradient_needs_no_note(tmp_path):
    @ag.function(input_signature=[rt.TensorSpec([None, 3]), rt.TensorSpec([3])])
    def slope(x, w):
        with rt.GradientTape() as tape:
            tape.watch(w)
            loss = rt.reduce_sum(rt.square(x * w))
        return tape.gradient(loss, w)

    report = ag.export(slope, tmp_path / "slope.onnx", strict=True)
    assert "nothing is left out" in str(report)
