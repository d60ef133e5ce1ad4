"""Checks of values against NumPy's own comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.executors import run
from runtime.graph import Graph
from runtime.ops.constant import constant
from runtime.ops.effects import assertions as debugging

BINARY = {
    "assert_equal": np.equal,
    "assert_none_equal": np.not_equal,
    "assert_less": np.less,
    "assert_less_equal": np.less_equal,
    "assert_greater": np.greater,
    "assert_greater_equal": np.greater_equal,
}
UNARY = {
    "assert_positive": np.greater,
    "assert_non_negative": np.greater_equal,
    "assert_negative": np.less,
    "assert_non_positive": np.less_equal,
}


@pytest.mark.parametrize("name", [*BINARY, *UNARY])
@pytest.mark.parametrize("x", [[1, 2], [-1, -2], [0, 0], [0, 1], [-1, 0]])
def test_each_check_agrees_with_numpy(name: str, x: list[int]) -> None:
    arguments = (x, [0, 1]) if name in BINARY else (x,)
    other = [0, 1] if name in BINARY else [0, 0]
    if np.all({**BINARY, **UNARY}[name](x, other)):
        getattr(debugging, name)(*arguments)
    else:
        with pytest.raises(InvalidArgumentError, match="did not hold"):
            getattr(debugging, name)(*arguments)


def test_the_message_shows_both_values() -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        debugging.assert_less(list(range(9)), 5, message="too large", summarize=1)
    assert str(caught.value) == (
        "too large\nCondition x < y did not hold.\nIndices of first 1 different values:\n[[5]]\n"
        "Corresponding x values:\n[5]\nCorresponding y values:\n[5]\n"
        "First 1 elements of x:\n[0]\nFirst 1 elements of y:\n[5]"
    )


def test_dtypes_and_shapes_must_fit() -> None:
    with pytest.raises(DTypeError):
        debugging.assert_equal(constant(1), constant(1.0))
    graph = Graph("f")
    x = graph.add_input(TensorSpec((2,)), "x")
    with graph.recording(), pytest.raises(ShapeError):
        debugging.assert_equal(x, [1.0, 2.0, 3.0])


def test_a_check_in_a_graph_runs_on_every_call() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec(()), "x")
    with graph.recording():
        debugging.assert_positive(x, "speed")
    run(graph, [np.float32(1.0)])
    with pytest.raises(
        InvalidArgumentError, match="speed\nCondition x > 0 did not hold element-wise"
    ) as caught:
        run(graph, [np.array(-1.0, np.float32)])
    assert f"at {__file__}:" in str(caught.value)


def test_check_numerics() -> None:
    good = constant([1.0, 2.0])
    np.testing.assert_array_equal(debugging.check_numerics(good, "loss"), good)
    for value, word in ((np.nan, "NaN"), (np.inf, "Inf")):
        with pytest.raises(InvalidArgumentError, match=f"loss : Tensor had {word} values"):
            debugging.check_numerics(constant([1.0, value]), "loss")
    with pytest.raises(DTypeError):
        debugging.check_numerics(constant([1]), "loss")


def test_assert_shows_its_data() -> None:
    debugging.Assert(True, ["never"])
    with pytest.raises(InvalidArgumentError) as caught:
        debugging.Assert(constant(False), ["x:", list(range(9))], summarize=1)
    assert str(caught.value) == (
        "Expected the condition to be true. Summarized data: x:\n[0 ... 8]"
    )
    with pytest.raises(InvalidArgumentError, match="data of an Assert must be a list"):
        debugging.Assert(True, "text")
    with pytest.raises(DTypeError):
        debugging.Assert(1, [])


def test_nearness_has_tensorflows_defaults() -> None:
    least = 10 * np.finfo(np.float32).eps
    debugging.assert_near([1.0], [1.0 + least])
    debugging.assert_near([1.0], [1.5], rtol=1.0)
    debugging.assert_near([1.0], [1.5], atol=constant(0.6))
    with pytest.raises(
        InvalidArgumentError, match="mm\nx and y not equal to tolerance rtol = 1.19"
    ):
        debugging.assert_near([1.0], [1.1], message="mm")
    with pytest.raises(DTypeError, match="write assert_equal"):
        debugging.assert_near(1, 2)


def test_a_known_failure_is_raised_while_a_function_is_traced() -> None:
    graph = Graph("f")
    with graph.recording(), pytest.raises(InvalidArgumentError, match="did not hold"):
        debugging.assert_equal(constant(1), 2)
    with graph.recording():
        debugging.assert_equal(constant(1), 1)
    assert [] == [node for node in graph if node.op.effects != "none"]


def test_a_check_in_a_branch_runs_only_with_its_branch() -> None:
    @ag.function
    def safe(x: Any) -> Any:
        if x > 0:
            debugging.assert_equal(1, 2)
        try:
            debugging.Assert(False, ["caught"])
        except InvalidArgumentError:
            x = x - 1
        return x

    assert -2 == safe(constant(-1)).numpy()
    with pytest.raises(InvalidArgumentError, match="did not hold"):
        safe(constant(1))


def test_gradients_pass_a_check_of_numbers() -> None:
    dy = constant([2.0])
    assert (dy,) == tuple(debugging.CHECK_NUMERICS.grad((dy,), (), (), message="m"))
    with pytest.raises(InvalidArgumentError, match="m : Tensor had Inf and NaN values"):
        debugging.assert_all_finite([np.nan, np.inf], "m")


def test_unordered_dtypes_are_refused() -> None:
    debugging.assert_equal("a", "a")
    for value in (1j, "a"):
        with pytest.raises(DTypeError, match="has no order"):
            debugging.assert_less(value, value)
