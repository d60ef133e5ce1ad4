"""Layers that people ship compute the same in LiteRT, or are refused for a reason."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError
from tests.shipped_layers import LAYERS

interpreter = pytest.importorskip("ai_edge_litert.interpreter")
pytest.importorskip("litert_converter")

REFUSED = {"pool 3d": "no kernel for TensorFlow's AvgPool3D"}


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_the_same_in_litert(name: str, tmp_path: Path) -> None:
    make, dims = LAYERS[name]
    rt.random.set_seed(1)
    layer = make()
    size = [6 if dim is None else dim for dim in dims]
    x = np.random.default_rng(1).normal(size=size).astype(np.float32)
    expected = layer(rt.constant(x)).numpy()
    concrete = ag.function(layer).get_concrete_function(rt.TensorSpec(dims, rt.float32))
    path = tmp_path / "layer.tflite"
    if name in REFUSED:
        with pytest.raises(UnimplementedError, match=REFUSED[name]):
            ag.export(concrete, path, format="tflite", converter="litert")
        return
    report = ag.export(concrete, path, format="tflite", converter="litert")
    assert [] == report.notes
    signature = interpreter.Interpreter(str(path)).get_signature_runner("serving_default")
    (given,) = signature.get_input_details()
    found = signature(**{given: x})["output_0"]
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)
