"""Learning rate schedules agree with Keras 3.15 for the steps 0 to 10."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.nn.optimizers import SGD, schedules

# [float(getattr(keras.optimizers.schedules, ...)(n)) for n in range(11)], rounded to 8 digits.
RECORDED = [
    (
        "ExponentialDecay(0.5, 4, 0.9)",
        [
            0.5,
            0.48700187,
            0.47434163,
            0.46201053,
            0.44999999,
            0.43830168,
            0.42690748,
            0.41580948,
            0.40499997,
            0.3944715,
            0.3842167,
        ],
    ),
    (
        "ExponentialDecay(0.5, 4, 0.9, staircase=True)",
        [
            0.5,
            0.5,
            0.5,
            0.5,
            0.44999999,
            0.44999999,
            0.44999999,
            0.44999999,
            0.40499997,
            0.40499997,
            0.40499997,
        ],
    ),
    (
        "InverseTimeDecay(0.5, 4, 0.9)",
        [
            0.5,
            0.40816325,
            0.34482756,
            0.29850748,
            0.2631579,
            0.23529412,
            0.21276596,
            0.19417477,
            0.17857143,
            0.16528927,
            0.15384616,
        ],
    ),
    (
        "InverseTimeDecay(0.5, 4, 0.9, staircase=True)",
        [
            0.5,
            0.5,
            0.5,
            0.5,
            0.2631579,
            0.2631579,
            0.2631579,
            0.2631579,
            0.17857143,
            0.17857143,
            0.17857143,
        ],
    ),
    (
        "PolynomialDecay(0.5, 4, 0.1, power=2.0)",
        [0.5, 0.32500002, 0.2, 0.125, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
    ),
    (
        "PolynomialDecay(0.5, 4, 0.1, cycle=True)",
        [0.5, 0.40000001, 0.30000001, 0.2, 0.1, 0.25, 0.2, 0.15000001, 0.1, 0.2, 0.16666669],
    ),
    (
        "PiecewiseConstantDecay([1, 5], [0.5, 0.2, 0.1])",
        [0.5, 0.5, 0.2, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1],
    ),
    (
        "CosineDecay(0.5, 6, alpha=0.1)",
        [
            0.5,
            0.46985573,
            0.38749999,
            0.27499998,
            0.16249998,
            0.080144286,
            0.050000001,
            0.050000001,
            0.050000001,
            0.050000001,
            0.050000001,
        ],
    ),
    (
        "CosineDecay(0.1, 6, alpha=0.1, warmup_target=0.5, warmup_steps=3)",
        [
            0.1,
            0.23333335,
            0.36666667,
            0.5,
            0.46985573,
            0.38749999,
            0.27499998,
            0.16249998,
            0.080144286,
            0.050000001,
            0.050000001,
        ],
    ),
    (
        "CosineDecayRestarts(0.5, 2)",
        [
            0.5,
            0.24999999,
            0.5,
            0.42677671,
            0.24999999,
            0.073223308,
            0.5,
            0.48096988,
            0.42677671,
            0.34567085,
            0.24999999,
        ],
    ),
    (
        "CosineDecayRestarts(0.5, 2, t_mul=1.0, m_mul=0.5, alpha=0.1)",
        [
            0.5,
            0.27499998,
            0.27500001,
            0.16249999,
            0.16249999,
            0.10625,
            0.10625,
            0.078125,
            0.078125,
            0.064062499,
            0.064062499,
        ],
    ),
    (
        "CosineDecayRestarts(0.5, 2, t_mul=1.5, m_mul=0.8)",
        [
            0.5,
            0.24999999,
            0.40000001,
            0.30000001,
            0.099999987,
            0.32000002,
            0.28256711,
            0.18778372,
            0.079999998,
            0.0096491724,
            0.25254977,
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), RECORDED)
def test_the_rates_of_eleven_steps(text: str, expected: list[float]) -> None:
    schedule = eval(f"schedules.{text}")
    np.testing.assert_allclose([float(schedule(n)) for n in range(11)], expected, rtol=2e-6)
    in_graph = ag.function(lambda step: schedule(step))
    found = [float(in_graph(rt.constant(n, "int64"))) for n in range(11)]
    np.testing.assert_allclose(found, expected, rtol=2e-6)


@pytest.mark.parametrize("text", [text for text, _ in RECORDED])
def test_a_schedule_is_restored_from_its_config(text: str) -> None:
    schedule = eval(f"schedules.{text}")
    again = schedules.deserialize(schedules.serialize(schedule))
    assert type(schedule) is type(again)
    assert schedule.get_config() == again.get_config()


def test_a_custom_schedule_is_called_in_each_step_of_a_graph() -> None:
    class Falling(schedules.LearningRateSchedule):
        def __call__(self, step: rt.Tensor) -> rt.Tensor:
            return rt.where(step < 2, rt.constant(1.0), rt.constant(0.25))

    variable, optimizer = rt.Variable(0.0), SGD(Falling())

    @ag.function
    def step() -> None:
        optimizer.apply_gradients([(rt.constant(1.0), variable)])

    found = []
    for _ in range(4):
        step()
        found.append(float(variable))
    assert [-1.0, -2.0, -2.25, -2.5] == found
    assert 0.25 == float(optimizer.learning_rate)


def test_invalid_schedules_are_refused() -> None:
    with pytest.raises(ArgumentValueError, match="3 boundaries need 4 values, not 3"):
        schedules.PiecewiseConstantDecay([1, 2, 3], [0.1, 0.2, 0.3])
    with pytest.raises(ArgumentValueError, match="decay_steps must be above 0"):
        schedules.CosineDecay(0.1, 0)
    with pytest.raises(ArgumentValueError, match="a learning rate must be"):
        SGD("fast")
    with pytest.raises(ArgumentValueError, match="there is no schedule 'Falling'"):
        SGD({"class_name": "Falling", "config": {}})
