"""Layers that people ship compute the same in onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.export.traces import Signature
from tests.shipped_layers import LAYERS

ort = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

from runtime.export.onnx.writing import write_onnx  # noqa: E402


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_the_same_in_onnxruntime(name: str, tmp_path: Path) -> None:
    make, dims = LAYERS[name]
    rt.random.set_seed(1)
    layer = make()
    size = [6 if dim is None else dim for dim in dims]
    x = np.random.default_rng(1).normal(size=size).astype(np.float32)
    expected = layer(rt.constant(x)).numpy()
    concrete = ag.function(layer).get_concrete_function(rt.TensorSpec(dims, rt.float32))
    report = write_onnx(Signature.of(concrete.graph), tmp_path / "layer.onnx")
    assert [] == report.notes
    session = ort.InferenceSession(report.files[0], providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {session.get_inputs()[0].name: x})
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)
