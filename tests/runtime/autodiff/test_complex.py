"""Gradients of complex numbers: dL/dx + i dL/dy, as in TensorFlow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt

X = np.array([[1.0 + 2.0j, -0.5 + 0.3j], [0.7 - 1.1j, 2.0 + 0.1j]])
Y = np.array([[0.4 - 0.6j, 1.5 + 1.0j], [-1.2 + 0.2j, 0.3 + 0.9j]])
STEP = 1e-6

OPS = [rt.add, rt.subtract, rt.multiply, rt.divide, rt.matmul, rt.pow]


def loss(op: Any, x: Any, y: Any) -> Any:
    z = op(x, y)
    weights = np.arange(1, 5).reshape(2, 2)
    return rt.reduce_sum(rt.math.real(z) * weights) + rt.reduce_sum(rt.math.imag(z) * 0.5)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.__name__)
def test_complex_gradients_agree_with_finite_differences(op: Any) -> None:
    x, y = rt.constant(X), rt.constant(Y)
    with rt.GradientTape() as tape:
        tape.watch([x, y])
        total = loss(op, x, y)
    for at, found in enumerate(tape.gradient(total, [x, y])):
        expected = np.zeros_like(X)
        for place in np.ndindex(2, 2):
            for axis in (1.0, 1j):
                bump = np.zeros_like(X)
                bump[place] = STEP * axis
                up, down = [X, Y], [X, Y]
                up[at], down[at] = up[at] + bump, down[at] - bump
                gradient = float(loss(op, *up) - loss(op, *down)) / (2 * STEP)
                expected[place] += gradient * axis
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6, atol=1e-6)
