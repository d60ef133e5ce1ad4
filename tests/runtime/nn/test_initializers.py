"""Initializers: deviations of their formulas, seeds, and refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import runtime as rt

ini = rt.nn.initializers
INPUTS, OUTPUTS = 300, 100
# The standard deviation that the formula of each one gives for this shape.
DEVIATIONS = {
    "glorot_normal": math.sqrt(2 / (INPUTS + OUTPUTS)),
    "glorot_uniform": math.sqrt(2 / (INPUTS + OUTPUTS)),
    "he_normal": math.sqrt(2 / INPUTS),
    "he_uniform": math.sqrt(2 / INPUTS),
    "lecun_normal": math.sqrt(1 / INPUTS),
    "lecun_uniform": math.sqrt(1 / INPUTS),
    "random_normal": 0.05,
    "random_uniform": 0.1 / math.sqrt(12),
    "truncated_normal": 0.05 * 0.87962566103423978,
}


@pytest.mark.parametrize("name", DEVIATIONS)
def test_values_have_the_deviation_of_the_formula(name: str) -> None:
    values = getattr(ini, name)(seed=5)((INPUTS, OUTPUTS)).numpy()
    assert values.dtype == np.float32
    assert abs(values.mean()) < 0.02 * DEVIATIONS[name]
    np.testing.assert_allclose(values.std(), DEVIATIONS[name], rtol=0.02)


def test_a_seed_determines_the_values() -> None:
    made = ini.GlorotUniform(seed=1)
    assert (made((3, 3)).numpy() == made((3, 3)).numpy()).all()
    assert (made((3, 3)).numpy() != ini.GlorotUniform(seed=2)((3, 3)).numpy()).any()


@pytest.mark.parametrize("shape", [(4, 7), (7, 4), (2, 3, 4)])
def test_orthogonal_vectors_have_the_length_of_the_gain(shape: tuple[int, ...]) -> None:
    matrix = ini.Orthogonal(gain=2.0, seed=1)(shape).numpy().reshape(-1, shape[-1])
    small = matrix @ matrix.T if matrix.shape[0] < matrix.shape[1] else matrix.T @ matrix
    np.testing.assert_allclose(small, 4.0 * np.eye(len(small)), atol=1e-5)


def test_fixed_values() -> None:
    assert [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] == ini.Identity()((2, 3)).numpy().tolist()
    assert [7.0, 7.0] == ini.Constant(7.0)((2,)).numpy().tolist()


@pytest.mark.parametrize(
    "make",
    [
        lambda: ini.VarianceScaling(scale=-1.0),
        lambda: ini.VarianceScaling(mode="fan"),
        lambda: ini.VarianceScaling(distribution="even"),
        lambda: ini.Orthogonal()((3,)),
        lambda: ini.Identity()((3,)),
        lambda: ini.GlorotUniform()((3,), dtype="int32"),
        lambda: ini.RandomNormal(seed=1.5),
    ],
)
def test_wrong_arguments_are_refused(make: Any) -> None:
    with pytest.raises(rt.errors.InvalidArgumentError):
        make()
