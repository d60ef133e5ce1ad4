"""Exponentials, roots, pseudo-inverses, ranks and determinants against NumPy and their laws."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError

RNG = np.random.default_rng(3)
MANY = RNG.normal(size=(4, 3, 3))
COMPLEX = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))


def by_eigenvectors(function: object, a: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eig(a)
    return (vectors * function(values)[..., None, :]) @ np.linalg.inv(vectors)  # type: ignore[operator]


@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0])
def test_exponentials_against_eigenvalues(scale: float) -> None:
    for a in (MANY * scale, COMPLEX * scale):
        expected = by_eigenvectors(np.exp, a)
        expected = expected if np.iscomplexobj(a) else expected.real
        found = rt.linalg.expm(a).numpy()
        size = np.abs(expected).max((-1, -2), keepdims=True)
        np.testing.assert_allclose(found / size, expected / size, atol=1e-11)


def test_the_exponential_of_a_step_is_a_line() -> None:
    np.testing.assert_array_equal(
        rt.linalg.expm([[0.0, 1e9], [0.0, 0.0]]).numpy(), [[1.0, 1e9], [0.0, 1.0]]
    )
    assert (0, 0) == rt.linalg.expm(np.zeros((0, 0))).shape


def test_square_roots_multiply_to_the_matrix() -> None:
    spd = MANY @ MANY.swapaxes(-1, -2)
    for a in (spd, COMPLEX, np.array([[1.0, 1.0, 2.0], [0.0, 1.0, 3.0], [0.0, 0.0, 1.0]])):
        root = rt.linalg.sqrtm(a).numpy()
        np.testing.assert_allclose(root @ root, a, atol=1e-10)


def test_real_matrices_without_a_real_root_give_nan() -> None:
    # As TensorFlow 2.21.
    assert np.isnan(rt.linalg.sqrtm([[1.0, 2.0], [3.0, 4.0]]).numpy()).all()
    turned = rt.linalg.sqrtm([[0.0, -1.0], [1.0, 0.0]]).numpy()
    np.testing.assert_allclose(turned, np.array([[1, -1], [1, 1]]) / np.sqrt(2), rtol=1e-6)


def test_determinants_against_numpy() -> None:
    for a in (MANY, COMPLEX):
        expected = np.linalg.slogdet(a)
        found = rt.linalg.slogdet(a)
        np.testing.assert_allclose(found.sign.numpy(), expected[0])
        np.testing.assert_allclose(found.log_abs_determinant.numpy(), expected[1])
    sign, size = rt.linalg.slogdet(np.zeros((2, 2)))
    assert (0.0, -np.inf) == (float(sign), float(size))


def test_pseudo_inverses_and_ranks_against_numpy() -> None:
    flat = MANY[0][:, :1] @ MANY[0][:1]
    for a in (MANY[0], MANY[0][:2], flat, COMPLEX[:, :2]):
        np.testing.assert_allclose(rt.linalg.pinv(a).numpy(), np.linalg.pinv(a), atol=1e-10)
        assert np.linalg.matrix_rank(a) == int(rt.linalg.matrix_rank(a))
    assert [3, 3, 3, 3] == rt.linalg.matrix_rank(MANY).numpy().tolist()
    assert 1 == int(rt.linalg.matrix_rank([[3.0, 0.0], [0.0, 0.5]], tol=1.0))
    cut = rt.linalg.pinv([[4.0, 0.0], [0.0, 1.0]], rcond=0.5).numpy()
    np.testing.assert_array_equal(cut, [[0.25, 0.0], [0.0, 0.0]])
    with pytest.raises(ArgumentValueError, match="rcond must be one number"):
        rt.linalg.pinv(MANY, rcond=[0.1, 0.2])
