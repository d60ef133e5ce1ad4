"""Convolutions and pools whose windows have gaps; convolutions are padded as TensorFlow does it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.export.traces import Signature

ort = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

from runtime.export.onnx.writing import write_onnx  # noqa: E402


def check(function: Any, dims: Any, size: tuple[int, ...], path: Path) -> None:
    graph = ag.function(function).get_concrete_function(rt.TensorSpec(dims, rt.float32)).graph
    write_onnx(Signature.of(graph), path)
    x = np.random.default_rng(1).normal(size=size).astype(np.float32)
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {session.get_inputs()[0].name: x})
    expected = function(rt.constant(x)).numpy()
    assert expected.shape == found.shape
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("window", ((3, 3), (2, 3), (1, 4)))
@pytest.mark.parametrize("apart", (2, 3, (2, 1)))
def test_windows_with_gaps(window: Any, apart: Any, tmp_path: Path) -> None:
    filters = np.random.default_rng(2).normal(size=(*window, 2, 4)).astype(np.float32)

    def convolved(x):
        return rt.nn.conv2d(x, filters, 1, "SAME", dilations=apart)

    for dims in ((None, 9, 8, 2), (1, None, None, 2)):
        check(convolved, dims, (1, 9, 8, 2), tmp_path / "f.onnx")


def test_strides_and_gaps_of_known_sizes(tmp_path: Path) -> None:
    filters = np.random.default_rng(2).normal(size=(3, 3, 2, 4)).astype(np.float32)

    def convolved(x):
        return rt.nn.conv2d(x, filters, 2, "SAME", dilations=2)

    check(convolved, (None, 9, 8, 2), (1, 9, 8, 2), tmp_path / "f.onnx")


def test_a_layer_with_a_dilation_rate(tmp_path: Path) -> None:
    rt.random.set_seed(1)
    layer = rt.nn.layers.Conv2D(4, 3, dilation_rate=2, padding="same")
    layer(rt.zeros((1, 9, 9, 2)))
    check(layer, (None, 9, 9, 2), (2, 9, 9, 2), tmp_path / "f.onnx")


def test_pools_with_gaps(tmp_path: Path) -> None:
    for kind in ("MAX", "AVG"):

        def pooled(x, kind=kind):
            return rt.nn.pool(x, (2, 3), kind, 1, "VALID", dilations=2)

        check(pooled, (None, None, 8, 2), (1, 9, 8, 2), tmp_path / "f.onnx")


@pytest.mark.parametrize("padding", ("same", "valid"))
def test_transposed_convolutions_of_unknown_sizes(padding: str, tmp_path: Path) -> None:
    kinds = rt.nn.layers.Conv1DTranspose, rt.nn.layers.Conv2DTranspose
    for axes, kind in enumerate(kinds, 1):
        for width, stride in ((1, 2), (2, 3), (3, 2), (5, 1)):
            rt.random.set_seed(1)
            layer = kind(3, width, strides=stride, padding=padding)
            size = (2, *(5, 4)[:axes], 4)
            layer(rt.zeros(size))
            check(layer, (None,) * (axes + 1) + (4,), size, tmp_path / "f.onnx")
