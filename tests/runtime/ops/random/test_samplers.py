"""Derivatives of random numbers by their parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

ALPHA = [0.3, 1.0, 2.5, 20.0]
DRAWN = [
    lambda a: rt.random.gamma([5], a, dtype=rt.float64, seed=3),
    lambda a: rt.random.stateless_gamma([5, 4], [1, 2], a, dtype=rt.float64),
]


@pytest.mark.parametrize("draw", DRAWN)
@pytest.mark.parametrize("is_staged", [False, True])
def test_gamma_numbers_keep_their_share_below(draw: Callable[..., Any], is_staged: bool) -> None:
    alpha, step = rt.constant(ALPHA, rt.float64), 1e-6
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(alpha)
        rows = (ag.function(draw) if is_staged else draw)(alpha)
        first = rows[0]
    gradient = tape.gradient(first, alpha)
    ends = [
        rt.math.igamma(alpha + sign * step, first + sign * step * gradient).numpy()
        for sign in (1, -1)
    ]
    assert (gradient.numpy() > 0).all()
    np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), np.zeros(4), atol=1e-8)


def test_numbers_that_have_no_gradient_are_refused() -> None:
    rate = rt.constant(2.0)
    with rt.GradientTape() as tape:
        tape.watch(rate)
        y = rt.random.poisson([3], rate) * rate
    with pytest.raises(rt.errors.UnimplementedError, match="random_poisson"):
        tape.gradient(y, rate)
