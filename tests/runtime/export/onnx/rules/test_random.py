"""Random numbers of streams: an engine draws its own of the same distribution."""

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

COUNT = rt.TensorSpec((), rt.int32)


def drawn(path: Path, function: Callable[..., Any], spec: rt.TensorSpec, x: Any) -> list[Any]:
    """Return the results of two runs of a model that tells that its numbers are others."""
    concrete = ag.function(function).get_concrete_function(spec)
    report = ag.export(concrete, str(path), format="onnx")
    reasons = {each.reason for each in report.omissions}
    assert {"other numbers than here: the engine draws its own"} == reasons
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    feeds = {session.get_inputs()[0].name: x}
    return [session.run(None, feeds)[0] for _ in range(2)]


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_uniform_and_normal_numbers_are_distributed_as_here(dtype: str, tmp_path: Path) -> None:
    def numbers(n):
        uniform = rt.random.uniform([n], 2.0, 4.0, dtype)
        normal = rt.random.normal([n], 5.0, 2.0, dtype)
        truncated = rt.random.truncated_normal([n], 0.0, 3.0, dtype)
        return rt.stack([uniform, normal, truncated])

    first, second = drawn(tmp_path / "f.onnx", numbers, COUNT, np.array(20000, np.int32))
    assert dtype == first.dtype.name and not np.array_equal(first, second)
    assert 2.0 <= first[0].min() and first[0].max() < 4.0 and abs(first[2]).max() < 6.0
    np.testing.assert_allclose(first.mean(1), [3.0, 5.0, 0.0], atol=0.1)
    np.testing.assert_allclose(first.std(1), [0.577, 2.0, 2.64], atol=0.1)
    empty, _ = drawn(tmp_path / "f.onnx", numbers, COUNT, np.array(0, np.int32))
    assert (3, 0) == empty.shape


@pytest.mark.parametrize("low, high", ((-3, 4), (-(2**62), 2**62), (-(2**63), 2**63 - 1)))
def test_whole_numbers_lie_between_their_bounds(low: int, high: int, tmp_path: Path) -> None:
    def whole(n):
        return rt.random.uniform([n], low, high, dtype="int64")

    found, _ = drawn(tmp_path / "f.onnx", whole, COUNT, np.array(1000, np.int32))
    assert low <= found.min() < 0 <= found.max() < high
    assert abs(found.astype(float).mean()) < (high - low) / 10


def test_rows_are_shuffled(tmp_path: Path) -> None:
    spec = rt.TensorSpec((None,), rt.string)
    x = np.array(list("abcdefghij"))
    first, second = drawn(tmp_path / "f.onnx", lambda x: rt.random.shuffle(x), spec, x)
    assert list(x) == sorted(first) == sorted(second)
    assert not (list(x) == list(first) == list(second))


def test_classes_have_their_probabilities(tmp_path: Path) -> None:
    def classes(logits):
        return rt.random.categorical(logits, 2000)

    spec = rt.TensorSpec((None, 3), rt.float64)
    logits = np.array([[0.0, np.log(3.0), -np.inf], [-1e9, 0.0, -1e9]])
    found, _ = drawn(tmp_path / "f.onnx", classes, spec, logits)
    shares = [np.bincount(row, minlength=3) / 2000 for row in found]
    np.testing.assert_allclose(shares, [[0.25, 0.75, 0.0], [0.0, 1.0, 0.0]], atol=0.05)
    empty, _ = drawn(tmp_path / "f.onnx", classes, spec, logits[:0])
    assert (0, 2000) == empty.shape


def test_a_training_call_drops_out(tmp_path: Path) -> None:
    layer = rt.nn.layers.Dropout(0.25)

    def train(x):
        return layer(x, training=True)

    x = np.ones((1, 10000), np.float32)
    found, _ = drawn(tmp_path / "f.onnx", train, rt.TensorSpec((None, 10000), rt.float32), x)
    np.testing.assert_allclose(np.unique(found), [0.0, 1 / 0.75], rtol=1e-6)
    np.testing.assert_allclose(np.mean(found == 0), 0.25, atol=0.03)


def test_a_stream_with_a_seed_begins_anew_in_each_session(tmp_path: Path) -> None:
    def numbers(n):
        return rt.random.normal([n], seed=7)

    found = [drawn(tmp_path / "f.onnx", numbers, COUNT, np.array(5, np.int32)) for _ in range(2)]
    np.testing.assert_array_equal(found[0], found[1])


def test_a_strict_export_and_numbers_of_a_seed_are_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "f.onnx")
    stream = ag.function(lambda: rt.random.uniform([2])).get_concrete_function()
    with pytest.raises(rt.errors.UnimplementedError, match="other numbers than here"):
        ag.export(stream, path, format="onnx", strict=True)
    seeded = ag.function(lambda: rt.random.stateless_uniform([2], [1, 2])).get_concrete_function()
    with pytest.raises(rt.errors.UnimplementedError, match="follow from a seed.*without a seed"):
        ag.export(seeded, path, format="onnx")
