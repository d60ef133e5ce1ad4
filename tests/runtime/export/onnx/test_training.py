"""Steps of training as ONNX models: all variables that a step writes are inputs and results."""

from __future__ import annotations

from pathlib import Path

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
