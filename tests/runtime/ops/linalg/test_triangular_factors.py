"""LU: factors multiply to the permuted matrix, and systems are solved with it."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.executors import run

RNG = np.random.default_rng(5)
MANY = RNG.normal(size=(2, 4, 3, 3))
ONE = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))


@pytest.mark.parametrize("a", [MANY, ONE])
def test_triangles_multiply_to_the_rows(a: np.ndarray) -> None:
    both, order = rt.linalg.lu(a)
    lower = np.tril(both.numpy(), -1) + np.eye(3)
    rows = np.take_along_axis(a, order.numpy()[..., None], -2)
    np.testing.assert_allclose(lower @ np.triu(both.numpy()), rows, atol=1e-12)
    assert np.abs(lower).max() <= 1.0 + 1e-12
    np.testing.assert_allclose(rt.linalg.lu_reconstruct(both, order).numpy(), a, atol=1e-12)
    rhs = a[..., :2] * 2
    solved = rt.linalg.lu_solve(both, order, rhs).numpy()
    np.testing.assert_allclose(a @ solved, rhs, atol=1e-10)
    inverse = rt.linalg.lu_matrix_inverse(both, order).numpy()
    np.testing.assert_allclose(inverse, np.linalg.inv(a), rtol=1e-9)


def test_an_example_of_tensorflow() -> None:
    # Recorded with TensorFlow 2.21.
    both, order = rt.linalg.lu([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_allclose(both.numpy(), [[3.0, 4.0], [1 / 3, 2 / 3]], rtol=1e-6)
    assert ([1, 0], "int32") == (order.numpy().tolist(), order.dtype.name)
    assert "int64" == rt.linalg.lu([[1.0]], rt.int64).p.dtype.name


def test_invalid_arguments_are_refused() -> None:
    with pytest.raises(DTypeError, match="int32 or int64"):
        rt.linalg.lu([[1.0]], rt.int8)
    with pytest.raises(DTypeError, match="perm must be integers"):
        rt.linalg.lu_solve([[1.0]], [0.0], [[1.0]])
    with pytest.raises(ShapeError, match="perm of shape"):
        rt.linalg.lu_reconstruct([[1.0, 2.0], [3.0, 4.0]], [0, 1, 2])


def test_a_permutation_of_wrong_length_is_refused_by_the_run() -> None:
    both, order = rt.linalg.lu(MANY)
    graph = rt.Graph("lu")
    x, perm = (graph.add_input(t.spec.with_shape((None,) * t.ndim), "x") for t in (both, order))
    with graph.recording():
        graph.set_outputs([rt.linalg.lu_reconstruct(x, perm)])
    np.testing.assert_allclose(run(graph, [both.numpy(), order.numpy()])[0], MANY)
    with pytest.raises(InvalidArgumentError, match="perm does not fit the matrices"):
        run(graph, [both.numpy(), order.numpy()[..., :2]])
