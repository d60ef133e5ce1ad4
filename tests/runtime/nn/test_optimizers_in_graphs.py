"""Optimizers, metrics and learning rates where a function is traced: branches, loops, handlers."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from runtime.nn import metrics
from runtime.nn.optimizers import SGD, Adam, schedules


def test_the_learning_rate_is_set_in_loops_and_branches() -> None:
    variable, optimizer = rt.Variable(0.0), SGD(1.0)

    @ag.function
    def train(steps: Any) -> Any:
        for step in range(steps):
            if step == 2:
                optimizer.learning_rate = 0.5
            elif step > 2:
                optimizer.learning_rate = optimizer.learning_rate * 0.5
            optimizer.apply([rt.constant(1.0)], [variable])
        return optimizer.learning_rate

    assert 0.125 == float(train(rt.constant(5)))
    assert 0.125 == float(optimizer.learning_rate)
    assert -(1 + 1 + 0.5 + 0.25 + 0.125) == float(variable)
    assert 0.125 == float(train(rt.constant(1)))


def test_each_variable_that_is_an_argument_has_its_own_slots() -> None:
    optimizer = SGD(0.5, momentum=0.5)

    @ag.function
    def train(variable: rt.Variable) -> None:
        optimizer.apply([variable * 2.0], [variable])

    one, other = rt.Variable([1.0]), rt.Variable([2.0])
    optimizer.build([one, other])
    for variable in (one, other, one):
        train(variable)
    assert ([-0.5], [0.0]) == (one.numpy().tolist(), other.numpy().tolist())
    assert 4 == len(optimizer.variables)


def test_steps_in_a_branch_and_beside_a_handler() -> None:
    variable, optimizer, mean = rt.Variable([1.0, 2.0]), Adam(0.1), metrics.Mean()

    @ag.function
    def train(steps: Any, fails: Any) -> Any:
        for step in range(steps):
            try:
                if step % 2 == 0:
                    optimizer.apply([rt.constant([1.0, 1.0])], [variable])
                mean.update_state(rt.constant(4.0))
                if fails:
                    raise ValueError("enough")
            except ValueError:
                mean.update_state(rt.constant(1.0))
        return mean.result()

    assert 4.0 == float(train(rt.constant(3), rt.constant(False)))
    assert 2 == int(optimizer.iterations)
    mean.reset_state()
    assert 2.5 == float(train(rt.constant(2), rt.constant(True)))
    assert 3 == int(optimizer.iterations)
    np.testing.assert_allclose(variable.numpy(), [0.7, 1.7], rtol=1e-5)


def test_a_step_inside_of_an_open_tape() -> None:
    variable, optimizer = rt.Variable(1.0), Adam(0.5)

    @ag.function
    def train(x: Any) -> Any:
        optimizer.apply([rt.constant(1.0)], [variable])
        return x * variable

    x = rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = train(x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 0.5, rtol=1e-5)


def test_a_graph_with_all_options_agrees_with_eager_steps() -> None:
    found = []
    for graph in (False, True):
        variable = rt.Variable([1.0, 2.0], constraint=rt.nn.constraints.MaxNorm(2.2))
        optimizer = Adam(
            schedules.ExponentialDecay(0.1, 2, 0.5),
            gradient_accumulation_steps=2,
            use_ema=True,
            ema_overwrite_frequency=2,
            clipnorm=1.0,
            weight_decay=0.01,
            amsgrad=True,
        )

        def step(gradient: Any, optimizer: Any = optimizer, variable: Any = variable) -> None:
            optimizer.apply([gradient], [variable])

        run = ag.function(step) if graph else step
        for at in range(7):
            run(rt.constant([1.0, float(at)]))
        found.append([each.numpy() for each in (variable, *optimizer.variables)])
    for one, other in zip(*found):
        np.testing.assert_allclose(one, other, rtol=1e-6)
