"""Range analysis of loop integers, and the printed checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.numbers.intervals import Interval
from runtime.executors.numpy.numbers.range_analysis import Ranges
from runtime.executors.numpy.numbers.representation import NumberNames
from runtime.executors.numpy.printed_function import printed_function
from runtime.graph import Graph, cond, while_loop
from tests.runtime.executors.numpy.numbers.small_printer import SmallPrinter


def traced(function: Callable[..., Any], *dtypes: Any) -> Graph:
    graph = Graph("f")
    inputs = [graph.add_input(TensorSpec((), dtype), f"x{at}") for at, dtype in enumerate(dtypes)]
    with graph.recording():
        results = function(*inputs)
    graph.set_outputs(results if isinstance(results, (list, tuple)) else [results])
    return graph


def results_of(graph: Graph, name: str) -> list[SymbolicTensor]:
    return [node.outputs[0] for node in graph.walk() if node.op.name == name]


def written(graph: Graph, name: str) -> list[Expression]:
    """The expressions of all nodes of an op, of operands `a`, `b` and `c` or constants."""
    numbers, found = Numbers(graph), []
    for node in graph.walk():
        if node.op.name == name:
            operands = [
                numbers.constant(each.node.attrs["value"])
                if each.node.op.name == "constant"
                else Expression(letter)
                for each, letter in zip(node.inputs, "abc")
            ]
            found.append(numbers.expression(node, operands))
    return found


def test_a_counter_below_a_bound_is_never_wrapped() -> None:
    graph = traced(
        lambda n: while_loop(lambda i: i < n, lambda i: (i + 1,), (rt.constant(0),)), rt.int32
    )
    assert [("a + 1", None)] == [(each.text, each.check) for each in written(graph, "add")]
    assert Interval(1, 2**31 - 1) == Ranges(graph).of(results_of(graph, "add")[0])


def test_a_counter_that_is_compared_with_another_number_is_wrapped() -> None:
    graph = traced(lambda n: while_loop(lambda i: i != n, lambda i: (i + 1,), (n * 0,)), rt.int64)
    (found,) = written(graph, "add")
    assert f"if {{name}} > {2**63 - 1}: {{name}} = wrap_int64({{name}})" == found.check
    assert not Ranges(graph).is_loose(graph.outputs[0])


def test_int32_overflow_is_tested_by_one_digit_first() -> None:
    graph = traced(lambda a, b: (c := a + b, c < 0), rt.int32, rt.int32)
    (found,) = written(graph, "add")
    limit = 2**30 - 1
    test = f"if {{name}} > {limit} or {{name}} < -{limit}"
    assert f"{test}: {{name}} = wrap_int32({{name}})" == found.check


def test_an_unread_sum_is_wrapped_at_the_end() -> None:
    def total(n: Tensor) -> Any:
        return while_loop(
            lambda i, s: i < n, lambda i, s: (i + 1, s + i * i), (rt.constant(0), rt.constant(0))
        )[1]

    graph = traced(total, rt.int32)
    checks = [each.check for name in ("add", "multiply") for each in written(graph, name)]
    assert [None] * 3 == checks
    assert "wrap_int32(s)" in Numbers(graph).to_array(graph.outputs[0], "s")
    (result,) = SmallPrinter(graph).function()(np.array(5000, np.int32))
    assert np.array(sum(i * i for i in range(5000))).astype(np.int32) == result


@pytest.mark.parametrize(
    "iteration",
    [lambda a, b: (b, a + b), lambda a, b: (a * 3, b), lambda a, b: (a + b, b + a)],
    ids=["fibonacci", "powers", "both"],
)
def test_geometric_growth_is_wrapped_in_each_iteration(iteration: Callable[..., Any]) -> None:
    def last(n: Tensor) -> Any:
        first = (rt.constant(0), rt.constant(1), rt.constant(1))
        return while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, *iteration(a, b)), first)

    graph = traced(last, rt.int32)
    checks = [each.check for op in ("add", "multiply") for each in written(graph, op)]
    assert any(checks)
    compute = SmallPrinter(graph).function()
    result = compute(np.array(20_000, np.int32))
    assert [np.int32] * 3 == [each.dtype for each in result]


def test_a_long_product_is_wrapped_in_between() -> None:
    def product(x: Tensor) -> Tensor:
        y = x
        for _ in range(8):
            y = y * x
        return y

    checks = [each.check is not None for each in written(traced(product, rt.int64), "multiply")]
    assert any(checks) and not all(checks)


def test_a_divisor_proven_nonzero_is_not_checked() -> None:
    graph = traced(
        lambda a, b: while_loop(lambda a, b: b != 0, lambda a, b: (b, a % b), (a, b)),
        rt.int32,
        rt.int32,
    )
    (found,) = written(graph, "floormod")
    assert ("a % b", False) == (found.text, found.fails)


def test_a_branch_uses_the_range_of_its_condition() -> None:
    def root(x: Tensor, y: Tensor) -> Any:
        both = rt.logical_and(x > 0, x < 1000)
        return cond(both, lambda: y // x + x * x, lambda: y // (x * 0 + 2))

    graph = traced(root, rt.int32, rt.int32)
    first, second = written(graph, "floordiv")
    assert "a // b" == first.text
    assert Interval(1, 998001) == Ranges(graph).of(results_of(graph, "multiply")[0])
    assert "a // b" == second.text


def test_a_python_number_is_refused_where_it_does_not_fit() -> None:
    def count(n: Tensor) -> Any:
        def iteration(i: Tensor, c: Any) -> Any:
            result = c + 1
            result.weak = True
            return i + 1, result

        return while_loop(lambda i, c: i < n, iteration, (rt.constant(0), rt.constant(2**31 - 3)))[
            1
        ]

    graph = traced(count, rt.int32)
    compute = SmallPrinter(graph).function()
    assert 2**31 - 1 == compute(np.array(2, np.int32))[0]
    with pytest.raises(OverflowError, match=r"2147483647 \+ 1 does not fit into int32"):
        compute(np.array(3, np.int32))


def test_repeated_operands_are_listed() -> None:
    graph = traced(lambda a, b: (a / b, rt.maximum(a, b)), rt.float64, rt.float64)
    numbers = Numbers(graph)
    divide, maximum = graph.nodes
    assert {0, 1} == numbers.repeats(divide) == numbers.repeats(maximum)
    names, long = [Expression("a"), Expression("b")], Expression("x + y", 10)
    assert "a / b if b else divide_float64(a, b)" == numbers.expression(divide, names).text
    assert "divide_float64_(a, x + y)" == numbers.expression(divide, [names[0], long]).text


def test_a_checked_result_is_not_assigned_to_its_operand() -> None:
    graph = traced(lambda a, b: a * b, rt.int32, rt.int32)
    graph.nodes[0].outputs[0].weak = True
    found = Numbers(graph).expression(graph.nodes[0], [Expression("a"), Expression("b")])
    assert ("a = checked_multiply_int32(a, b)",) == found.assigned_to("a")
    assert "c = a * b" == found.assigned_to("c")[0]
    assert found.assigned_to("c")[1].endswith(": c = checked_multiply_int32(a, b)")


def test_only_scalars_of_some_dtypes_are_kept_as_numbers() -> None:
    graph = Graph("f")
    kept = (rt.int8, rt.uint64, rt.bool, rt.float32, rt.float64)
    others = (rt.float16, rt.complex64, rt.string)
    held = [graph.add_input(TensorSpec((), dtype), "x") for dtype in kept + others]
    numbers = Numbers(graph)
    assert [True] * 5 + [False] * 3 == list(map(numbers.holds, held))
    assert not numbers.holds(graph.add_input(TensorSpec((1,), rt.int32), "x"))
    assert not numbers.holds(graph.add_input(TensorSpec(None, rt.int32), "x"))


@pytest.mark.parametrize(
    "value", [0.1, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.4e38, 2.0, -1e-6, 16777216.0]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_constants_are_written_exactly(value: float, dtype: Any) -> None:
    numbers, constant = Numbers(Graph("f")), np.array(value, dtype)
    text = numbers.constant(constant).text
    found = eval(text, numbers.names)
    assert np.array(found).dtype == constant.dtype
    assert np.isnan(value) or constant.tobytes() == np.array(found).tobytes()


def test_the_printer_may_choose_names() -> None:
    graph = traced(lambda a: rt.exp(a), rt.float32)
    asked = []

    def name_of(thing: Any, name: str) -> str:
        asked.append((thing, name))
        return f"my_{name}"

    numbers = Numbers(graph, name_of)
    assert "my_exp(x)" == numbers.expression(graph.nodes[0], [Expression("x")]).text
    assert [(np.exp, "exp")] == asked
    assert "my_array(x)" == numbers.to_array(graph.outputs[0], "x")


def test_deeply_nested_loops_are_analysed() -> None:
    def nested(depth: int, value: Tensor) -> Tensor:
        if not depth:
            return value + 1
        return while_loop(lambda v: v < 100, lambda v: (nested(depth - 1, v),), (value,))[0]

    graph = traced(lambda x: nested(120, x), rt.int32)
    assert 1 == len(written(graph, "add"))


@pytest.mark.parametrize("dtype", [rt.bool, rt.int8, rt.uint64, rt.float32, rt.float64])
def test_numbers_are_read_from_arrays_and_elements(dtype: Any) -> None:
    tensor = Graph("f").add_input(TensorSpec((), dtype), "x")
    numbers, x = Numbers(tensor.graph), np.array([[0, 1], [1, 1]]).astype(dtype.np_dtype)
    texts = [
        numbers.from_array(tensor, "x[0, 1, ...]"),
        numbers.from_element(tensor, "x[[0][0], 1]"),
        numbers.from_element(tensor, "x[0, 1, ...][()]"),
    ]
    found = [eval(text, {"x": x}) for text in texts]
    wanted = np.float32 if dtype is rt.float32 else type(x.item(0))
    assert [wanted] * 3 == list(map(type, found)) and found == [1] * 3


@pytest.mark.parametrize("dtype", [rt.int64, rt.uint64])
def test_integers_that_are_no_exact_floats_are_cast_by_the_kernel(dtype: Any) -> None:
    graph = traced(lambda n: rt.cast(n, rt.float32) * 0.5, dtype)
    (cast,) = written(graph, "cast")
    assert " <= 9007199254740992 else cast_" in cast.text
    run = printed_function(graph).run
    for number in (0, 3, 2**24 + 1, 2**53, 2**53 + 1, 2**55 + 2**31 + 1, 2**63 - 1):
        for each in (number, -number if dtype is rt.int64 else number):
            array = np.array(each, dtype.np_dtype)
            assert array.astype(np.float32) * np.float32(0.5) == run([array])[0]


NAMES = {1.5: "f1_5", -2.0: "fm2_0", 999999.0: "f999999_0", 1234567.0: "f1_234567e06"}
NAMES |= {0.0001: "f1em04", 0.0: "f0_0", 2**31: "f2_1474836e09", math.inf: "finf"}


@pytest.mark.parametrize("number", NAMES)
def test_names_of_float32_are_the_same_with_every_numpy(number: float) -> None:
    assert NAMES[number] == NumberNames().literal(np.array(number, np.float32)).text
