"""Parallel parts of large graphs: their selection, and equal results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import run
from runtime.executors.analysis import cost_model as work
from runtime.executors.compile_options import CompileOptions, set_compile_options
from runtime.executors.numpy.printed_function import printed_function
from runtime.executors.optimizations import parallel_regions
from tests.runtime.executors.graphs import graph_of, outcome
from tests.runtime.executors.large_graphs import everything_counts, large_graph
from tests.runtime.executors.numpy.test_random_graphs import observed_runs
from tests.runtime.passes.random_graphs import random_graph
from tests.suite_length import IS_LONG

BLOCKS = range(0, 1200 if IS_LONG else 40, 20)
LARGE = np.ones((1200, 1000), np.float32)
SMALL = np.ones((4, 5), np.float32)


@pytest.fixture
def counted() -> Iterator[None]:
    with everything_counts():
        yield


def two_branches(x: Any, v: Any) -> Any:
    a = rt.tanh(x * v) * 2.0
    b = rt.sin(x + v) * 3.0
    return a - b


def from_one_start(x: Any, v: Any) -> Any:
    start = rt.exp(x)
    return rt.tanh(start) * v, rt.sin(start) - v


def one_chain(x: Any, v: Any) -> Any:
    return rt.tanh(rt.exp(rt.sin(x) * v) + x)


def in_a_loop(x: Any, v: Any) -> Any:
    a, b = x, v
    for _ in rt.range(3):
        a, b = rt.tanh(a * x), rt.sin(b - x)
    return a + b


def in_a_branch(x: Any, v: Any) -> Any:
    if rt.reduce_sum(x) > 0.0:
        return rt.tanh(x * v) + rt.sin(x - v)
    return x


def both_may_fail(x: Any, v: Any, i: Any, j: Any) -> Any:
    first = rt.tanh(x)[i]
    second = rt.sin(v)[j]
    return first + second


def fail_in_iterations(x: Any, v: Any, i: Any, j: Any) -> Any:
    a, b = rt.tanh(x), rt.sin(v)
    p = a[i]
    q = b[j]
    return p + a[j + 1], q + b[i + 1]


def printing(x: Any, v: Any) -> Any:
    a = rt.tanh(x)
    rt.print(rt.reduce_sum(a))
    return a, rt.sin(v)


def source_of(function: Any, *arguments: Any, parallel: Any = 2) -> str:
    graph = graph_of(function, *arguments)
    set_compile_options(graph, CompileOptions(parallel=parallel))
    return printed_function(graph).source


def test_branches_are_functions_that_are_handed_out() -> None:
    assert (
        source_of(two_branches, *[np.ones((100, 1000), np.float32)] * 2, parallel=False).count(
            "def "
        )
        == 1
    )
    with everything_counts():
        assert source_of(two_branches, SMALL, SMALL) == (
            "def two_branches(x, v):\n"
            "    def part(x, v):\n"
            "        multiply = np_multiply(x, v)\n"
            "        tanh = np_tanh(multiply)\n"
            "        multiply_1 = np_multiply(tanh, constant)\n"
            "        return (multiply_1,)\n"
            "    def part_1(x, v):\n"
            "        add = np_add(x, v)\n"
            "        sin = np_sin(add)\n"
            "        multiply_2 = np_multiply(sin, constant_1)\n"
            "        return (multiply_2,)\n"
            "    (multiply_1,), (multiply_2,) = side_by_side((part, x, v), (part_1, x, v))\n"
            "    subtract = np_subtract(multiply_1, multiply_2)\n"
            "    return (subtract,)\n"
        )


@pytest.mark.parametrize("function", [two_branches, from_one_start, in_a_loop, in_a_branch])
def test_large_branches_are_parts(function: Any) -> None:
    assert "side_by_side(" in source_of(function, LARGE, LARGE)
    assert "side_by_side(" not in source_of(function, LARGE, LARGE, parallel=False)
    assert "side_by_side(" not in source_of(function, LARGE, LARGE, parallel=1)
    assert "side_by_side(" not in source_of(function, SMALL, SMALL)


def test_parallel_parts_without_the_option_need_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_regions, "cores", lambda: 4)
    larger = np.broadcast_to(np.float32(1.0), (8000, 1000))
    assert "side_by_side(" not in source_of(two_branches, LARGE, LARGE, parallel=None)
    assert "side_by_side(" in source_of(two_branches, LARGE, LARGE, parallel=True)
    assert "side_by_side(" in source_of(two_branches, larger, larger, parallel=None)
    monkeypatch.setattr(parallel_regions, "cores", lambda: 1)
    assert "side_by_side(" not in source_of(two_branches, larger, larger, parallel=None)
    assert "side_by_side(" not in source_of(two_branches, larger, larger, parallel=True)


@pytest.mark.usefixtures("counted")
def test_one_after_the_other_has_no_parts() -> None:
    assert "side_by_side(" not in source_of(one_chain, SMALL, SMALL)


@pytest.mark.usefixtures("counted")
def test_nodes_with_output_are_not_parallel(capsys: pytest.CaptureFixture[str]) -> None:
    source = source_of(printing, SMALL, SMALL)
    assert "side_by_side(" not in source


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("i", [0, 9, -9])
@pytest.mark.parametrize("j", [0, 8, -8])
@pytest.mark.parametrize("function", [both_may_fail, fail_in_iterations])
def test_the_first_failing_part_raises(function: Any, i: int, j: int) -> None:
    arguments = [SMALL, SMALL, np.int32(i), np.int32(j)]
    graph = graph_of(function, *arguments)
    set_compile_options(graph, CompileOptions(parallel=3))
    assert "side_by_side(" in printed_function(graph).source
    arrays = [rt.constant(each)._array for each in arguments]  # type: ignore[attr-defined]
    wanted = outcome(lambda given: run(graph, given), arrays)
    assert outcome(printed_function(graph).run, arrays) == wanted


def test_an_error_ends_at_the_users_line() -> None:
    with everything_counts():
        f = ag.function(both_may_fail, parallel=2)
        f(rt.constant(SMALL), rt.constant(SMALL), rt.constant(0), rt.constant(0))
    with pytest.raises(
        rt.errors.OutOfBoundsError, match="index 9 of dimension 0 out of bounds"
    ) as raised:
        f(rt.constant(SMALL), rt.constant(SMALL), rt.constant(0), rt.constant(9))
    assert raised.value.origin is not None
    assert raised.value.origin.line_text() == "second = rt.sin(v)[j]"
    entries = [entry for entry in raised.traceback if "concurrent" in str(entry.path)]
    assert not entries


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("block", BLOCKS)
def test_large_random_graphs_are_bit_identical_in_parallel(block: int) -> None:
    with_parts = 0
    for seed in range(block, block + 20):
        graph, arrays = large_graph(seed)
        alone, _ = large_graph(seed, parallel=False)
        wanted = outcome(lambda given, of=graph: run(of, given), arrays)  # type: ignore[misc]
        assert outcome(printed_function(alone).run, arrays) == wanted, seed
        assert outcome(printed_function(graph).run, arrays) == wanted, seed
        with_parts += "side_by_side(" in printed_function(graph).source
    assert with_parts > 10


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("block", BLOCKS)
def test_random_graphs_agree_with_the_interpreter_in_parallel(block: int) -> None:
    for seed in range(block, block + 20):
        made = random_graph(seed)
        set_compile_options(made.graph, CompileOptions(parallel=3))
        wanted = observed_runs(made, lambda given, graph=made.graph: run(graph, given))  # type: ignore[misc]
        assert observed_runs(made, printed_function(made.graph).run) == wanted, seed


def test_products_are_parts_where_blas_has_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def products(x: Any, v: Any) -> Any:
        return rt.matmul(x, x) @ x, rt.matmul(v, v) @ v

    square = np.ones((400, 400), np.float32)
    for alone in (True, False):
        monkeypatch.setattr(work, "has_one_thread", lambda told=alone: told)
        graph = graph_of(products, square, square)
        set_compile_options(graph, CompileOptions(parallel=2))
        assert ("side_by_side(" in printed_function(graph).source) is alone


def test_a_long_row_is_looked_at_no_longer_than_it_may_be(counted: None) -> None:
    def long(x: Any) -> Any:
        values = [x, x + 1.0]
        for at in range(600):
            values.append(rt.tanh(values[-1] - values[-2]) if at % 3 else rt.sin(values[0]))
        return rt.add_n(values[-5:])

    assert "def long" in source_of(long, SMALL)
