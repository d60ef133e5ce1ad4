"""Public control flow: the same answer eagerly and in a graph, for any structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runtime import nest
from runtime.core.context import recording
from runtime.core.dtypes import bool_, float32, int32
from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.executors import run
from runtime.graph import Graph, cond, switch_case, verify, while_loop
from runtime.ops.arrays.concatenation import concat
from runtime.ops.constant import constant
from runtime.ops.elementwise.arithmetic import add, multiply, subtract
from runtime.ops.elementwise.comparison import greater, less


def both_ways(function: Callable[..., Any], *values: Any) -> tuple[Any, Any]:
    """Return the results of `function` eagerly and as a graph, as nested arrays."""
    tensors = [constant(value) for value in values]
    eager = nest.map_structure(lambda t: constant(t).numpy(), function(*tensors))
    graph = Graph("f")
    inputs = [graph.add_input(tensor.spec, "x") for tensor in tensors]
    with graph.recording():
        result = function(*inputs)
    graph.set_outputs(nest.flatten(result))
    verify(graph)
    arrays = run(graph, [tensor.numpy() for tensor in tensors])
    return eager, nest.unflatten(result, [array[()] for array in arrays])


@pytest.mark.parametrize("x", [-3, 0, 4])
def test_cond_on_structures(x: int) -> None:
    def function(x: Any) -> Any:
        return cond(
            greater(x, 0),
            lambda: {"double": multiply(x, 2), "pair": (x, 1)},
            lambda: {"double": subtract(0, x), "pair": (0, x)},
        )

    wanted = {"double": 2 * x, "pair": (x, 1)} if x > 0 else {"double": -x, "pair": (0, x)}
    assert both_ways(function, x) == (wanted, wanted)


def test_a_python_bool_chooses_while_tracing() -> None:
    graph = Graph("f")
    with graph.recording():
        cond(True, lambda: constant(1), lambda: constant("other dtype"))
    assert [node.op.name for node in graph] == ["constant"]


def test_none_is_kept_where_both_branches_have_it() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    with graph.recording():
        found = cond(p, lambda: (None, 1), lambda: (None, 2))
        with pytest.raises(DTypeError, match=r"None at result\[1\]"):
            cond(p, lambda: (1, None), lambda: (1, 2))
    assert found[0] is None and found[1].dtype is int32


def test_branches_of_different_structure_are_refused() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    with graph.recording(), pytest.raises(ValueError, match="cond: .* differ"):
        cond(p, lambda: [1, 2], lambda: [1])


@pytest.mark.parametrize("n", [0, 1, 6])
def test_while_loop_computes_fibonacci(n: int) -> None:
    def function(n: Any) -> Any:
        return while_loop(
            lambda i, pair: less(i, n),
            lambda i, pair: (add(i, 1), [pair[1], add(pair[0], pair[1])]),
            (0, [0, 1]),
        )

    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    assert both_ways(function, n) == ((n, [a, b]), (n, [a, b]))


def test_one_loop_variable_needs_no_list_in_the_body() -> None:
    def function(n: Any) -> Any:
        return while_loop(lambda i: less(i, n), lambda i: add(i, 3), [0])

    assert both_ways(function, 7) == ([9], [9])


def test_maximum_iterations_as_number_and_tensor() -> None:
    def function(limit: Any) -> Any:
        turns = while_loop(lambda i: True, lambda i: [add(i, 1)], [0], maximum_iterations=4)
        more = while_loop(lambda i: True, lambda i: [add(i, 1)], [0], maximum_iterations=limit)
        return turns + more

    assert both_ways(function, 6) == ([4, 6], [4, 6])


def growing(shape_invariants: Any) -> Callable[..., Any]:
    def function(x: Any) -> Any:
        return while_loop(
            lambda i, x: less(i, 3),
            lambda i, x: (add(i, 1), concat([x, x], 0)),
            (0, x),
            shape_invariants=shape_invariants,
        )[1]

    return function


def test_shape_invariants_let_a_variable_grow() -> None:
    eager, staged = both_ways(growing(((), (None,))), [1.0, 2.0])
    np.testing.assert_array_equal(eager, [1.0, 2.0] * 8)
    np.testing.assert_array_equal(staged, eager)


def test_a_variable_that_grows_without_invariants_is_refused() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((2,), float32), "x")
    with graph.recording(), pytest.raises(ShapeError, match="shape_invariants"):
        growing(None)(x)


def test_a_body_that_changes_a_dtype_is_refused_eagerly_and_in_graphs() -> None:
    def function(n: Any) -> Any:
        return while_loop(lambda i: less(i, n), lambda i: [constant(0.5)], [0])

    with pytest.raises(DTypeError, match="int32"):
        both_ways(function, 1)
    graph = Graph("f")
    n = graph.add_input(TensorSpec((), int32), "n")
    with graph.recording(), pytest.raises(DTypeError, match="int32"):
        function(n)


def test_loop_vars_must_be_a_sequence() -> None:
    with pytest.raises(TypeError, match=r"write \[x\]"):
        while_loop(lambda i: True, lambda i: i, constant(0))


@pytest.mark.parametrize("index", [-1, 0, 1, 2, 9])
@pytest.mark.parametrize("as_dict", [False, True])
def test_switch_case(index: int, as_dict: bool) -> None:
    functions = [lambda: constant(10), lambda: constant(20)]
    branches: Any = {1: functions[1], 0: functions[0]} if as_dict else functions

    def function(index: Any) -> Any:
        return switch_case(index, branches, default=lambda: constant(-1))

    wanted = {0: 10, 1: 20}.get(index, -1)
    assert both_ways(function, index) == (wanted, wanted)


def test_switch_case_numbers_must_be_complete() -> None:
    with pytest.raises(InvalidArgumentError, match=r"not \[0, 2\]"):
        switch_case(0, {0: lambda: 1, 2: lambda: 1})
    with pytest.raises(InvalidArgumentError, match="at least one branch"):
        switch_case(0, [])


def test_loop_vars_must_be_a_list() -> None:
    with pytest.raises(TypeError, match="loop_vars must be a list, not an EagerTensor: write"):
        while_loop(lambda x: less(x, 5), lambda x: [add(x, 1)], constant(1))


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    "pred, message",
    [
        ("a", "the condition must be bool, found string"),
        (None, "None is not a tensor value"),
        (1.5, "the condition must be bool, found float32"),
        (np.int32(1), "the condition must be bool, found int32"),
        ([True], "the condition must be one value"),
    ],
)
def test_invalid_conditions_are_refused(staged: bool, pred: Any, message: str) -> None:
    with recording(Graph("f") if staged else None):
        with pytest.raises((DTypeError, ShapeError), match=message):
            cond(pred, lambda: constant(1), lambda: constant(2))


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    "index, found", [("a", "string"), (1.5, "float32"), (True, "bool"), (np.float32(1), "float32")]
)
def test_invalid_branch_indices_are_refused(staged: bool, index: Any, found: str) -> None:
    with recording(Graph("f") if staged else None):
        with pytest.raises(DTypeError, match=f"the branch index must be .*, found {found}"):
            switch_case(index, [lambda: constant(1), lambda: constant(2)])
