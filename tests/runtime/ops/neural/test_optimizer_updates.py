"""Steps of optimizers in one op, against NumPy in 64 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, ShapeError
from runtime.ops.neural.optimizer_updates import ADAM_VARIABLE, change

OPTIONS = {"beta_1": 0.75, "beta_2": 0.5, "epsilon": 0.25}
START = [np.array(each) for each in ([[1.0, -2.0]], [[0.5, 0.25]], [[2.0, 1.0]])]
GRADIENT, RATE = np.array([[3.0, -1.0]]), 0.125


def expected(steps: int) -> list[np.ndarray]:
    value, mean, squares = START
    for _ in range(steps):
        mean = mean * 0.75 + GRADIENT * 0.25
        squares = squares * 0.5 + GRADIENT**2 * 0.5
        value = value - RATE * mean / (np.sqrt(squares) + 0.25)
    return [value, mean, squares]


def new_variables(dtype: str) -> list[rt.Variable]:
    return [rt.Variable(each, dtype=dtype) for each in START]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_step_eagerly_and_in_a_graph(dtype: str) -> None:
    for graph in (False, True):
        variables = new_variables(dtype)

        def step(gradient: Any, rate: Any, variables: Any = variables) -> None:
            change(ADAM_VARIABLE, variables, (gradient, rate), **OPTIONS)

        run = ag.function(step) if graph else step
        for _ in range(2):
            run(rt.constant(GRADIENT, dtype), rt.constant(RATE, dtype))
        tolerance = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}[dtype]
        for variable, value in zip(variables, expected(2)):
            np.testing.assert_allclose(variable.numpy(), value, rtol=tolerance)
            assert dtype == variable.dtype.name


def test_values_read_before_an_update_are_unchanged() -> None:
    variables = new_variables("float32")
    before = [each.read_value() for each in variables]
    change(ADAM_VARIABLE, variables, _given("float32"), **OPTIONS)
    for tensor, value in zip(before, START):
        np.testing.assert_array_equal(tensor.numpy(), value)


def test_a_scalar_stays_an_array() -> None:
    variables = [rt.Variable(each.ravel()[0], dtype="float32") for each in START]
    given = (rt.constant(3.0), rt.constant(RATE))
    change(ADAM_VARIABLE, variables, given, **OPTIONS)
    for variable, value in zip(variables, expected(1)):
        assert isinstance(variable._array, np.ndarray)
        np.testing.assert_allclose(variable.numpy(), value.ravel()[0], rtol=1e-6)


def _given(dtype: str) -> tuple[rt.Tensor, rt.Tensor]:
    return rt.constant(GRADIENT, dtype), rt.constant(RATE, dtype)


def test_a_mismatched_gradient_changes_no_variable() -> None:
    variables = new_variables("float32")
    _, rate = _given("float32")
    with pytest.raises(ShapeError, match=r"adam_variable: shape \(2,\) does not fit a variable"):
        change(ADAM_VARIABLE, variables, (rt.constant([1.0, 2.0]), rate), **OPTIONS)
    with pytest.raises(DTypeError, match="float64 does not go with a variable of float32"):
        change(ADAM_VARIABLE, variables, (_given("float64")[0], rate), **OPTIONS)
    with pytest.raises(ShapeError, match="the rate must be one number"):
        change(ADAM_VARIABLE, variables, (_given("float32")[0], rt.constant([1.0])), **OPTIONS)
    graph = rt.Graph("unknown")
    gradient = graph.add_input(rt.TensorSpec(None, "float32"), "gradient")
    with graph.recording():
        change(ADAM_VARIABLE, variables, (gradient, rate), **OPTIONS)
    for variable, value in zip(variables, START):
        np.testing.assert_array_equal(variable.numpy(), value)


@pytest.mark.parametrize("size", [5_000, 32_768, 70_000])
def test_large_variables_take_the_same_steps_as_their_parts(size: int) -> None:
    numbers = np.random.default_rng(0).normal(size=(4, size)).astype(np.float32)
    numbers[2] **= 2
    wholes = [rt.Variable(each) for each in numbers[:3]]
    parts = [rt.Variable(each[-1000:]) for each in numbers[:3]]
    rate = rt.constant(0.125)
    for _ in range(3):
        before = [each.read_value() for each in wholes]
        kept = [each.numpy() for each in before]
        change(ADAM_VARIABLE, wholes, (rt.constant(numbers[3]), rate), **OPTIONS)
        for tensor, value in zip(before, kept):
            np.testing.assert_array_equal(tensor.numpy(), value)
        del before, tensor
        change(ADAM_VARIABLE, wholes, (rt.constant(numbers[3]), rate), **OPTIONS)
        for _ in range(2):
            change(ADAM_VARIABLE, parts, (rt.constant(numbers[3][-1000:]), rate), **OPTIONS)
        for whole, part in zip(wholes, parts):
            np.testing.assert_array_equal(whole.numpy()[-1000:], part.numpy())


def test_transposed_variables_get_the_same_updates() -> None:
    numbers = np.random.default_rng(0).normal(size=(4, 100, 80)).astype(np.float32)
    numbers[2] **= 2
    turned = [rt.Variable(rt.transpose(rt.constant(each))) for each in numbers[:3]]
    plain = [rt.Variable(each) for each in numbers[:3]]
    for variables, gradient in ((turned, numbers[3].T), (plain, numbers[3])):
        for _ in range(2):
            given = rt.constant(gradient), rt.constant(0.125)
            change(ADAM_VARIABLE, variables, given, **OPTIONS)
    for one, other in zip(turned, plain):
        np.testing.assert_array_equal(one.numpy().T, other.numpy())
