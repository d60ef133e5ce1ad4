"""Checks of values against NumPy's own comparison."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.executors import run
from runtime.graph import Graph
from runtime.ops import debugging
from runtime.ops.constant import constant
from runtime.spec import TensorSpec

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
def test_each_check_holds_exactly_when_numpy_says_so(name: str, x: list[int]) -> None:
    arguments = (x, [0, 1]) if name in BINARY else (x,)
    other = [0, 1] if name in BINARY else [0, 0]
    if np.all({**BINARY, **UNARY}[name](x, other)):
        getattr(debugging, name)(*arguments)
    else:
        with pytest.raises(InvalidArgumentError, match="in every element"):
            getattr(debugging, name)(*arguments)


def test_the_message_shows_both_values() -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        debugging.assert_less(list(range(9)), 5, message="too large", summarize=1)
    assert str(caught.value) == (
        "too large: expected x < y in every element, found x = [0 ... 8], y = 5"
    )


def test_dtypes_and_shapes_must_fit() -> None:
    with pytest.raises(DTypeError):
        debugging.assert_equal(constant(1), constant(1.0))
    graph = Graph("f")
    x = graph.add_input(TensorSpec((2,)), "x")
    with graph.recording(), pytest.raises(ShapeError):
        debugging.assert_equal(x, [1.0, 2.0, 3.0])


def test_in_a_graph_the_check_runs_on_every_call() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec(()), "x")
    with graph.recording():
        debugging.assert_positive(x, "speed")
    run(graph, [np.float32(1.0)])
    with pytest.raises(InvalidArgumentError, match="speed: expected x > y") as caught:
        run(graph, [np.array(-1.0, np.float32)])
    assert f"at {__file__}:" in str(caught.value)


def test_check_numerics() -> None:
    good = constant([1.0, 2.0])
    np.testing.assert_array_equal(debugging.check_numerics(good, "loss"), good)
    for value, word in ((np.nan, "NaN"), (np.inf, "infinite")):
        with pytest.raises(InvalidArgumentError, match=f"loss: the tensor has {word} values"):
            debugging.check_numerics(constant([1.0, value]), "loss")
    with pytest.raises(DTypeError):
        debugging.check_numerics(constant([1]), "loss")
