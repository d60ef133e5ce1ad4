"""`py_function` and `numpy_function`: at once when eager, in every run of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.context import current_recorder
from runtime.core.dtypes import float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.executors import run
from runtime.graph import Graph
from runtime.ops.constant import constant
from runtime.ops.effects.python_calls import numpy_function, py_function
from runtime.ops.elementwise.arithmetic import add


def test_py_function_gets_eager_tensors() -> None:
    seen: list[object] = []

    def function(x: Tensor, y: Tensor) -> Tensor:
        seen.append((type(x), current_recorder(), x.numpy()))  # type: ignore[attr-defined]
        return add(x, y)

    assert py_function(function, [1, constant(2)], int32).numpy() == 3
    graph = Graph("f")
    x = graph.add_input(TensorSpec((), int32), "x")
    with graph.recording():
        result = py_function(function, [x, 10], int32)
        graph.set_outputs([result])
    assert result.shape.rank is None and result.dtype is int32
    assert [run(graph, [np.array(n, np.int32)])[0] for n in (5, 6)] == [15, 16]
    assert seen == [(EagerTensor, None, n) for n in (1, 5, 6)]


def test_py_function_results_follow_tout() -> None:
    first, second = py_function(lambda x: (x, 2), [1.5], [float32, int32])
    assert (first.numpy(), second.numpy()) == (1.5, 2)
    assert py_function(lambda: None, [], []) is None
    assert py_function(lambda: [1, 2], [], int32).numpy().tolist() == [1, 2]
    with pytest.raises(ArgumentValueError, match="returned 1 results, but Tout is int32, int32"):
        py_function(lambda: 1, [], [int32, int32])
    with pytest.raises(DTypeError):
        py_function(lambda: 1.5, [], int32)


def test_numpy_function_gets_arrays() -> None:
    def function(x: np.ndarray) -> np.ndarray:
        assert isinstance(x, np.ndarray)
        return x[::-1]

    found = numpy_function(function, [constant([1, 2, 3])], int32)
    assert found.numpy().tolist() == [3, 2, 1]


def test_an_unused_python_function_still_runs() -> None:
    calls: list[int] = []
    graph = Graph("f")
    with graph.recording():
        py_function(lambda: calls.append(1), [], [])
    run(graph, [])
    run(graph, [])
    assert calls == [1, 1]


def test_py_function_is_a_decorator() -> None:
    @rt.py_function(Tout=rt.float32)
    def doubled(x: Any) -> Any:
        return 2.0 * x

    @rt.numpy_function(Tout=[rt.int64, rt.float32], stateful=False)
    def place_and_value(x: Any) -> Any:
        return np.argmax(x), np.max(x)

    x = rt.constant([1.0, 4.0, 2.0])
    for call in (doubled, ag.function(lambda x: doubled(x))):
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = call(x)
        assert [2.0, 8.0, 4.0] == y.numpy().tolist()
        assert [2.0, 2.0, 2.0] == tape.gradient(y, x).numpy().tolist()
    for call in (place_and_value, ag.function(lambda x: place_and_value(x))):
        assert [1, 4.0] == [each.numpy() for each in call(x)]
    assert "doubled" == doubled.__name__
    with pytest.raises(DTypeError, match="Tout"):
        rt.py_function(lambda x: x, [x])
    with pytest.raises(ArgumentValueError, match="without func"):
        rt.py_function(inp=[x], Tout=rt.float32)
