"""Optimizers against steps that Keras 3 made (recorded: three steps of the gradients below)."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.nn.optimizers import SGD, Adam, Optimizer

GRADIENTS = ([1.0, -2.0, 0.5], [0.1, 3.0, -1.0], [0.0, 0.2, 2.0])
# keras.Variable([1., 2., 3.]); for g in GRADIENTS: optimizer.apply_gradients([(g, v)])
RECORDED = [
    (lambda: Adam(0.1), [0.7686563730239868, 2.0525708198547363, 2.894645929336548]),
    (
        lambda: Adam(0.1, amsgrad=True, weight_decay=0.01),
        [0.7659620046615601, 2.0464015007019043, 2.8858182430267334],
    ),
    (lambda: SGD(0.1), [0.8899999856948853, 1.880000114440918, 2.8499999046325684]),
    (lambda: SGD(0.1, momentum=0.9), [0.7099999785423279, 1.9519999027252197, 2.8545000553131104]),
    (
        lambda: SGD(0.1, momentum=0.9, nesterov=True, clipnorm=1.0),
        [0.8413442373275757, 2.0243101119995117, 2.8215527534484863],
    ),
    (lambda: SGD(0.1, clipvalue=0.4), [0.949999988079071, 1.9800000190734863, 2.9600000381469727]),
    (
        lambda: SGD(0.1, global_clipnorm=0.4),
        [0.9812783002853394, 1.9930064678192139, 2.9641125202178955],
    ),
]


@pytest.mark.parametrize(("make", "expected"), RECORDED)
def test_three_steps_are_those_of_keras(make: object, expected: list[float]) -> None:
    variable, optimizer = rt.Variable([1.0, 2.0, 3.0]), make()  # type: ignore[operator]
    for gradient in GRADIENTS:
        optimizer.apply_gradients([(gradient, variable)])
    np.testing.assert_allclose(variable.numpy(), expected, rtol=2e-6)
    assert 3 == int(optimizer.iterations)


def test_a_graph_makes_the_slots_outside_and_steps_each_time_it_runs() -> None:
    variable, optimizer = rt.Variable([1.0, 2.0, 3.0]), Adam(0.1)
    graph = rt.Graph("step")
    with graph.recording():
        optimizer.apply_gradients([(rt.constant(GRADIENTS[0]), variable)])
    assert [(3,), (3,)] == [tuple(each.shape) for each in optimizer.variables[2:]]
    assert 0 == int(optimizer.iterations)
    assert [1.0, 2.0, 3.0] == variable.numpy().tolist()


def test_the_learning_rate_is_set_or_a_schedule() -> None:
    optimizer = SGD(0.1)
    optimizer.learning_rate = 0.5
    assert 0.5 == float(optimizer.learning_rate)
    scheduled = SGD(lambda step: 1.0 / (1.0 + rt.cast(step, "float32")))
    variable = rt.Variable(0.0)
    for _ in range(2):
        scheduled.apply_gradients([(1.0, variable)])
    assert -1.5 == float(variable)
    with pytest.raises(ArgumentValueError, match="schedule"):
        scheduled.learning_rate = 0.1


def test_gradients_that_are_missing_are_told() -> None:
    one, other = rt.Variable(1.0, name="one"), rt.Variable(1.0, name="other")
    with pytest.warns(UserWarning, match="no gradient for other:0"):
        SGD(1.0).apply_gradients([(1.0, one), (None, other)])
    assert (0.0, 1.0) == (float(one), float(other))
    with pytest.raises(ArgumentValueError, match="no variable has a gradient"):
        SGD().apply_gradients([(None, one)])
    with pytest.raises(ArgumentValueError, match="1 gradients are given for 2"):
        SGD().apply([1.0], [one, other])


def test_a_config_makes_the_same_optimizer() -> None:
    config = Adam(0.5, beta_1=0.8).get_config()
    again = Adam.from_config(config)
    assert isinstance(again, Optimizer)
    assert config == again.get_config()
    assert ("adam", 0.5, 0.8) == (config["name"], config["learning_rate"], config["beta_1"])
