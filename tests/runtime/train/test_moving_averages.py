"""Averages of variables over steps; numbers are those of TensorFlow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError
from runtime.train import Checkpoint, ExponentialMovingAverage


def test_averages_follow_variables() -> None:
    v = rt.Variable(0.0, name="w")
    averages = ExponentialMovingAverage(0.9)
    assert averages.average(v) is None
    averages.apply([v])
    found: list[Any] = []
    for value in (10.0, 20.0):
        v.assign(value)
        averages.apply([v])
        found.append(averages.average(v).numpy())
    np.testing.assert_allclose(found, [1.0000002, 2.9000006], rtol=1e-6)
    average: Any = averages.average(v)
    assert ("w/ExponentialMovingAverage:0", False) == (average.name, average.trainable)
    assert {"w/ExponentialMovingAverage": v} == averages.variables_to_restore()


def test_num_updates_weighs_the_first_steps() -> None:
    v = rt.Variable(0.0)
    averages = ExponentialMovingAverage(0.9, num_updates=3)
    averages.apply([v])
    v.assign(10.0)
    averages.apply([v])
    np.testing.assert_allclose(averages.average(v).numpy(), 6.923077)


def test_a_function_lets_them_follow(tmp_path: Path) -> None:
    v = rt.Variable(0.0)
    averages = ExponentialMovingAverage(0.5)

    @ag.function
    def step() -> None:
        v.assign_add(2.0)
        averages.apply([v])

    averages.apply([v])
    step()
    step()
    assert 2.5 == averages.average(v).numpy()
    path = Checkpoint(averages=averages).save(tmp_path / "run")
    averages.average(v).assign(0.0)
    Checkpoint(averages=averages).restore(path).assert_consumed()
    assert 2.5 == averages.average(v).numpy()


@pytest.mark.parametrize("start", [10.0, -1.0])
def test_averages_created_in_a_function_restart_in_each_call(
    start: float,
) -> None:
    variable = rt.Variable(start)

    def halfway(x: Any) -> Any:
        averages = rt.train.ExponentialMovingAverage(0.5)
        variable.assign(x)
        averages.apply([variable])
        variable.assign(3.0 * x)
        averages.apply([variable])
        return rt.identity(averages.average(variable))

    staged = ag.function(halfway)
    given = [1.0, 2.0, -3.0]
    assert [2.0, 4.0, -6.0] == [float(halfway(rt.constant(x))) for x in given]
    assert [2.0, 4.0, -6.0] == [float(staged(rt.constant(x))) for x in given]


def test_averages_are_of_variables_of_floating_numbers() -> None:
    averages = ExponentialMovingAverage(0.5)
    with pytest.raises(ArgumentValueError, match="needs a list of variables"):
        averages.apply()
    with pytest.raises(DTypeError, match="takes variables, not"):
        averages.apply([rt.constant(1.0)])  # type: ignore[list-item]
    with pytest.raises(DTypeError, match="not of int32"):
        averages.apply([rt.Variable(1)])
