"""Functions composed of other ops: clipping, polynomials, predicates, products of matrices."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError

RNG = np.random.default_rng(3)
TALL, WIDE = RNG.normal(size=(2, 5, 3)), RNG.normal(size=(3, 5))


def test_clipping_by_length() -> None:
    assert [1.5, 2.0] == rt.clip_by_norm([3.0, 4.0], 2.5).numpy().tolist()
    assert [3.0, 4.0] == rt.clip_by_norm([3.0, 4.0], 9.0).numpy().tolist()
    assert [[0.0, 0.0]] == rt.clip_by_norm([[0.0, 0.0]], 1.0, axes=1).numpy().tolist()
    clipped, length = rt.clip_by_global_norm([rt.constant([3.0, 4.0]), None], 2.5)
    assert [1.5, 2.0] == clipped[0].numpy().tolist() and clipped[1] is None
    assert 5.0 == float(length) and 0.0 == float(rt.linalg.global_norm([]))
    [lost], _ = rt.clip_by_global_norm([rt.constant([np.inf, 1.0])], 2.5)
    assert np.isnan(lost.numpy()).all()


def test_polynomials_and_questions() -> None:
    x = np.array([0.5, -2.0])
    np.testing.assert_array_equal(rt.math.polyval([1.0, 2.0, 3.0], x), np.polyval([1, 2, 3], x))
    assert [0.0, 0.0] == rt.math.polyval([], [2.0, 1.0]).numpy().tolist()
    with pytest.raises(InvalidArgumentError, match="coeffs must be a list"):
        rt.math.polyval((1.0,), 2.0)
    assert rt.math.is_non_decreasing([[1, 1], [2, 3]]) and rt.math.is_non_decreasing([5])
    assert not rt.math.is_strictly_increasing([1, 1])
    assert 0.5 == float(rt.math.zero_fraction([0, 1, 0, 2]))
    assert np.isnan(float(rt.math.zero_fraction(rt.zeros([0]))))
    assert [-1000.0, -np.log(2)] == pytest.approx(rt.math.log_sigmoid([-1000.0, 0.0]).numpy())
    with pytest.raises(ShapeError, match="scalar must be a scalar"):
        rt.scalar_mul([1, 2], [1, 2])


def test_products_of_matrices_against_numpy() -> None:
    np.testing.assert_array_equal(rt.linalg.trace(TALL), np.trace(TALL, axis1=1, axis2=2))
    z = (TALL + 1j * TALL[::-1]).astype(np.complex128)
    np.testing.assert_array_equal(rt.linalg.adjoint(z), np.conj(np.swapaxes(z, 1, 2)))
    a, b = TALL[0], TALL[1]
    np.testing.assert_allclose(rt.linalg.cross(a, b), np.cross(a, b), rtol=1e-14)
    with pytest.raises(ShapeError, match="vectors of 3 elements"):
        rt.linalg.cross([1, 2], [3, 4])


def test_solutions_against_numpy() -> None:
    spd = np.swapaxes(TALL, 1, 2) @ TALL + np.eye(3)
    rhs = RNG.normal(size=(2, 3, 2))
    chol = np.linalg.cholesky(spd)
    np.testing.assert_allclose(rt.linalg.logdet(spd), np.linalg.slogdet(spd)[1])
    np.testing.assert_allclose(rt.linalg.cholesky_solve(chol, rhs), np.linalg.solve(spd, rhs))
    upper = rt.linalg.triangular_solve(spd, rhs, lower=False)
    np.testing.assert_allclose(upper, np.linalg.solve(np.triu(spd), rhs))
    turned = rt.linalg.triangular_solve(spd, rhs, adjoint=True)
    np.testing.assert_allclose(turned, np.linalg.solve(np.triu(spd), rhs))
    with pytest.raises(InvalidArgumentError):
        rt.linalg.triangular_solve(np.zeros((2, 2)), np.ones((2, 1)))


def test_least_squares_against_numpy() -> None:
    for matrix in (TALL[0], WIDE):
        rhs = RNG.normal(size=(len(matrix), 2))
        expected = np.linalg.lstsq(matrix, rhs, rcond=None)[0]
        np.testing.assert_allclose(rt.linalg.lstsq(matrix, rhs), expected, rtol=1e-9)
        wide = rt.linalg.lstsq(matrix, rhs, l2_regularizer=0.5)
        columns = matrix.shape[1]
        normal = matrix.T @ matrix + 0.5 * np.eye(columns)
        np.testing.assert_allclose(wide, np.linalg.solve(normal, matrix.T @ rhs), rtol=1e-9)
