"""Values known while tracing: values that depend on no input are computed at once."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from runtime.core.spec import TensorSpec
from runtime.errors import FailedPreconditionError
from runtime.graph import Graph
from runtime.ops.constant import constant
from runtime.ops.elementwise.arithmetic import add, multiply
from runtime.state.variable import Variable


def test_constants_and_captures_have_known_values() -> None:
    graph = Graph("f")
    outside, variable = constant([1.0, 2.0]), Variable([10.0, 20.0])
    with graph.recording():
        value = add(multiply(constant([2.0, 3.0]), outside), variable)
    np.testing.assert_array_equal(graph.known_value(value), [12.0, 26.0])


def test_a_value_that_depends_on_an_input_is_unknown() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec(()), "speed")
    with graph.recording():
        value = add(x, 1.0)
    with pytest.raises(FailedPreconditionError, match="depends on 'speed'"):
        graph.known_value(value)


def test_a_variable_created_while_tracing_has_a_value() -> None:
    graph = Graph("f")
    with graph.recording():
        variable = Variable(add(constant([1.0]), 2.0), name="v")
        lazy = Variable(lambda: constant([5.0]))
    np.testing.assert_array_equal(variable.numpy(), [3.0])
    np.testing.assert_array_equal(lazy.numpy(), [5.0])


def test_the_error_points_at_the_line_of_the_variable() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec(()), "speed")
    with graph.recording(), pytest.raises(FailedPreconditionError, match="assign") as caught:
        line = sys._getframe().f_lineno + 1
        Variable(x)
    assert caught.value.origin is not None
    assert (caught.value.origin.filename, caught.value.origin.line) == (__file__, line)
