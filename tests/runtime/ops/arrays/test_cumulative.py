"""Cumulative logsumexp agrees with TensorFlow 2.21 and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError

X = rt.constant([1.0, 2.0, 3.0])


def test_cumulative_logsumexp_agrees_with_numpy() -> None:
    x = np.random.default_rng(0).normal(size=(3, 4)) * 100
    for axis in (0, 1, -1):
        found = rt.math.cumulative_logsumexp(x, axis).numpy()
        np.testing.assert_allclose(found, np.logaddexp.accumulate(x, axis))
    nothing = rt.math.cumulative_logsumexp([-np.inf, -np.inf, 1.0]).numpy().tolist()
    assert [-np.inf, -np.inf, 1.0] == nothing


# Recorded with TensorFlow 2.21: the gradients of y * [1, -2, 3].
RECORDED: list[tuple[dict[str, Any], list[float], list[float]]] = [
    ({}, [1.0, 2.31326175, 3.40760612], [0.73220885, -0.72793174, 1.99572253]),
    ({"exclusive": True}, [-np.inf, 1.0, 2.31326175], [-1.19317579, 2.19317555, 0.0]),
    ({"reverse": True}, [3.40760612, 3.31326175, 3.0], [0.09003056, -0.29315436, 2.20312357]),
]


@pytest.mark.parametrize("options, expected, gradients", RECORDED)
def test_cumulative_logsumexp_agrees_with_tensorflow(
    options: dict[str, Any], expected: list[float], gradients: list[float]
) -> None:
    with rt.GradientTape() as tape:
        tape.watch(X)
        y = rt.math.cumulative_logsumexp(X, **options)
        total = y * [1.0, -2.0, 3.0]
    np.testing.assert_allclose(y.numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(total, X).numpy(), gradients, rtol=1e-5, atol=1e-6)


def test_whole_numbers_have_no_logarithms() -> None:
    with pytest.raises(DTypeError, match="works on float"):
        rt.math.cumulative_logsumexp([1, 2])
