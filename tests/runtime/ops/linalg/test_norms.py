"""Norms of vectors and matrices against NumPy and TensorFlow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.executors import run

RNG = np.random.default_rng(0)
A = RNG.normal(size=(2, 3))
BLOCK = RNG.normal(size=(2, 3, 4))


def test_norms_of_vectors_against_numpy() -> None:
    np.testing.assert_allclose(rt.norm(A).numpy(), np.linalg.norm(A))
    for order in (1, 2, np.inf, -np.inf, 3, 2.5):
        expected = np.linalg.norm(A, order, axis=1, keepdims=True)
        np.testing.assert_allclose(rt.norm(A, order, axis=1, keepdims=True).numpy(), expected)


@pytest.mark.parametrize("order", ["fro", 1, 2, np.inf])
@pytest.mark.parametrize("axes", [(0, 1), (2, 0), (-1, -2), [1, 2]])
@pytest.mark.parametrize("kept", [False, True])
def test_norms_of_matrices_against_numpy(order: Any, axes: Any, kept: bool) -> None:
    expected = np.linalg.norm(BLOCK, order, tuple(axes), kept)
    np.testing.assert_allclose(rt.norm(BLOCK, order, axes, kept).numpy(), expected)


def test_norms_agree_with_tensorflow() -> None:
    # Recorded with TensorFlow 2.21.
    a = [[1.0, 2.0], [3.0, 4.0]]
    assert pytest.approx(5.464985370635986) == float(rt.norm(a, 2, axis=[0, 1]))
    assert 10.0 == float(rt.norm(a, 1)) and 6.0 == float(rt.norm(a, 1, axis=[0, 1]))
    complex_norm = rt.norm(rt.constant([1 + 1j, 2]))
    assert "complex128" == complex_norm.dtype.name
    assert pytest.approx(2.449489742783178) == complex(complex_norm)
    whole, size = rt.linalg.normalize(a, 2, axis=[0, 1])
    np.testing.assert_allclose(whole.numpy()[1], [0.5489493, 0.73193240], rtol=1e-6)
    np.testing.assert_allclose(size.numpy(), [[5.46498537]], rtol=1e-6)
    columns, _ = rt.linalg.normalize(a, 1, axis=0)
    np.testing.assert_allclose(columns.numpy(), [[0.25, 1 / 3], [0.75, 2 / 3]], rtol=1e-6)


@pytest.mark.parametrize(
    "order, axes, message",
    [
        ("x", None, "no norm 'x' of vectors"),
        ("fro", None, "no norm 'fro' of vectors"),
        (0, 0, "no norm 0 of vectors"),
        (True, 0, "no norm True of vectors"),
        (3, (0, 1), "no norm 3 of matrices"),
        (-np.inf, (0, 1), "no norm -inf of matrices"),
        (1, (0, 0), "two distinct axes"),
        (1, (0, 1, 0), "two distinct axes"),
    ],
)
def test_unknown_norms_are_refused(order: Any, axes: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        rt.norm(A, order, axes)


def test_whole_numbers_and_wrong_axes_are_refused() -> None:
    with pytest.raises(DTypeError, match="rt.norm works on"):
        rt.norm([1, 2])
    with pytest.raises(ShapeError, match="not two distinct axes of rank 2"):
        rt.norm(A, 1, axis=(0, 2))
    with pytest.raises(ShapeError, match="not two distinct axes of rank 2"):
        rt.norm(A, 2, axis=(1, -1))


def test_numpy_has_norms_of_a_matrix_in_a_graph() -> None:
    graph = rt.Graph("norms")
    x = graph.add_input(rt.TensorSpec((2, 3), "float64"), "x")
    with graph.recording():
        found = [np.linalg.norm(x), np.linalg.norm(x, 1), np.linalg.norm(x, np.inf, axis=1)]
    graph.set_outputs(found)
    expected = [np.linalg.norm(A), np.linalg.norm(A, 1), np.linalg.norm(A, np.inf, axis=1)]
    for value, wanted in zip(run(graph, [A]), expected, strict=True):
        np.testing.assert_allclose(value, wanted)


def test_norms_over_axes_agree_with_tensorflow() -> None:
    # Recorded with TensorFlow 2.21.
    assert [5, 2] == rt.math.reduce_euclidean_norm([[3, 4], [1, 2]], 1).numpy().tolist()
    kept = rt.math.reduce_euclidean_norm([[3.0, 4.0], [1.0, 2.0]], 1, True).numpy()
    np.testing.assert_allclose(kept, [[5.0], [2.236068]])
    assert "complex128" == rt.math.reduce_euclidean_norm(np.array([1j])).dtype.name
    with pytest.raises(DTypeError, match="numbers, not bool"):
        rt.math.reduce_euclidean_norm([True])


def test_l2_normalize_and_l2_loss() -> None:
    x = np.linspace(-4, 7, 12).reshape(3, 4)
    result = rt.nn.l2_normalize(x)
    np.testing.assert_allclose(result.numpy(), x / np.sqrt((x * x).sum()), rtol=1e-6)
    assert result.dtype is rt.float64
    assert rt.nn.l2_loss([3.0, 4.0]).numpy() == 12.5
