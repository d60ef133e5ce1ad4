"""The estimated time of a node in which other threads can run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.core.blas_threads import VARIABLES
from runtime.executors.analysis import cost_model as work
from runtime.executors.analysis.cost_model import has_one_thread, work_of
from runtime.graph.node import Node

LARGE = rt.TensorSpec((1000, 1000), rt.float32)


def last_node(function: Callable[..., Any], *specs: Any) -> Node:
    graph = rt.Graph()
    inputs = [graph.add_input(spec, "x") for spec in specs]
    with graph.recording():
        result = function(*inputs)
    node: Node = result.node
    return node


def test_the_estimate_grows_with_the_size() -> None:
    twice = rt.TensorSpec((2000, 1000), rt.float32)
    for function in (rt.tanh, rt.reduce_sum, rt.sort, rt.nn.softmax):
        one, two = (work_of(last_node(function, spec)) for spec in (LARGE, twice))
        assert 0 < one < two == pytest.approx(2 * one)
    assert work_of(last_node(rt.tanh, LARGE)) < work_of(last_node(rt.sigmoid, LARGE))


@pytest.mark.parametrize(
    "spec",
    [
        rt.TensorSpec((100,), rt.float32),
        rt.TensorSpec((), rt.float64),
        rt.TensorSpec((None, 1000), rt.float32),
        rt.TensorSpec(None, rt.float32),
        rt.TensorSpec((0, 1000), rt.float32),
    ],
)
def test_small_or_unknown_sizes_cost_nothing(spec: Any) -> None:
    for function in (rt.tanh, rt.reduce_sum, lambda x: x + x):
        assert 0 == work_of(last_node(function, spec))


def test_ops_that_hold_the_gil_cost_nothing() -> None:
    assert 0 == work_of(last_node(rt.transpose, LARGE))
    assert 0 == work_of(last_node(lambda x: rt.strings.as_string(x), LARGE))
    assert 0 == work_of(last_node(rt.tanh, rt.TensorSpec((1000, 1000), rt.bfloat16)))


def test_a_call_costs_as_much_as_its_graph() -> None:
    @ag.function
    def called(x: Any) -> Any:
        return rt.tanh(rt.exp(x))

    graph = ag.function(lambda x: called(x) * 2.0).get_concrete_function(LARGE).graph
    call = next(node for node in graph.nodes if node.op.name == "function_call")
    assert work_of(call) == 2 * work_of(last_node(rt.tanh, LARGE))


def test_products_that_blas_parallelizes_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def product(*shape: int) -> float:
        spec = rt.TensorSpec(shape, rt.float32)
        return work_of(last_node(rt.matmul, spec, spec))

    for alone in (False, True):
        monkeypatch.setattr(work, "has_one_thread", lambda told=alone: told)
        assert (product(500, 500) > 0, product(60, 60) > 0) == (alone, True)
        assert product(100, 60, 60) == pytest.approx(100 * product(60, 60))
        whole = rt.TensorSpec((300, 300), rt.int64)
        assert work_of(last_node(rt.matmul, whole, whole)) > 0
        image, filters = rt.TensorSpec((8, 32, 32, 3), rt.float32), rt.ones((3, 3, 3, 8))
        node = last_node(lambda x: rt.nn.conv2d(x, filters, 1, "SAME"), image)
        assert (work_of(node) > 0) is alone


def test_blas_threads_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.core.blas_threads._controller", lambda: None)
    monkeypatch.setattr("runtime.core.blas_threads._processors", lambda: 2)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for told, expected in (("1", True), ("4", False), ("", False)):
        has_one_thread.cache_clear()
        monkeypatch.setenv("OMP_NUM_THREADS", told)
        assert has_one_thread() is expected
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    has_one_thread.cache_clear()
    assert has_one_thread()
    has_one_thread.cache_clear()
