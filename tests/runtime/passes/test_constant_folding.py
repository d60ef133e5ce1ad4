"""Constant folding computes small constants that do not raise."""

from __future__ import annotations

import numpy as np

import runtime as rt
from runtime.ops.arrays.index import HashableSlice, Index, Input
from runtime.ops.gradient_rules import BROADCAST_LIKE, SUM_TO_LIKE
from runtime.ops.op import REGISTRY, apply
from runtime.passes.constant_folding import fold_constants
from runtime.passes.dce import dce
from tests.runtime.passes.graphs import BOOL, INT, VECTOR, changed, graph_of, ops


def test_constant_expressions_are_folded() -> None:
    graph = graph_of(lambda x: x + (rt.constant(3) * 2 - 1), INT)
    assert changed(fold_constants, graph, [4])
    dce(graph)
    assert ["add"] == ops(graph)


def test_constants_are_written_inside_of_regions() -> None:
    def f(p, x):
        three = rt.constant(3)
        return rt.cond(p, lambda: x * (three + 1), lambda: x - three)

    graph = graph_of(f, BOOL, INT)
    assert changed(fold_constants, graph, [True, 2], [False, 2])
    dce(graph)
    assert ["cond", "multiply", "subtract"] == ops(graph)
    assert ["x1"] == [tensor.node.name for tensor in graph.node("cond").inputs[1:]]


def test_large_constants_are_not_folded() -> None:
    graph = graph_of(lambda x: rt.fill([100, 100], 2) * x, INT)
    assert not changed(fold_constants, graph, [4])


def test_raising_expressions_are_not_folded() -> None:
    graph = graph_of(lambda x: x + rt.constant(3) // rt.constant(0), INT)
    assert not fold_constants(graph)
    assert ["floordiv", "add"] == ops(graph)


def _at(x, items, *places):
    return apply(REGISTRY["strided_slice"], (x, *map(rt.constant, places)), index=Index(items))


def test_a_constant_index_is_folded() -> None:
    graph = graph_of(lambda x: _at(x, (Input(0),), -1), VECTOR)
    assert changed(fold_constants, graph, [[1.0, 2.0, 3.0]])
    (node,) = (each for each in graph.walk() if each.op.name == "strided_slice")
    assert Index((-1,)) == node.attrs["index"] and 1 == len(node.inputs)


def test_a_slice_of_unknown_length_is_not_folded() -> None:
    assert not fold_constants(
        graph_of(lambda x: _at(x, (HashableSlice(Input(0), Input(1)),), 1, 9), VECTOR)
    )


def test_an_out_of_range_index_is_not_folded() -> None:
    assert not fold_constants(graph_of(lambda x: _at(x, (Input(0),), 3), VECTOR))


def test_an_overflowing_python_number_is_not_folded() -> None:
    def f():
        big = rt.constant(2**31 - 1)
        big.weak = True
        total = big + 1
        return total

    assert not fold_constants(graph_of(f))


def test_dtypes_and_bits_are_preserved() -> None:
    graph = graph_of(lambda: (-rt.constant(0.0), rt.constant(np.uint8(255)) + 1))
    assert changed(fold_constants, graph, [])
    zero, wrapped = (each.node.attrs["value"].array for each in graph.outputs)
    assert np.signbit(zero) and zero.dtype == np.float32
    assert wrapped == 0 and wrapped.dtype == np.uint8


def shape_of(x):
    return apply(REGISTRY["shape"], (x,), out_type=rt.int32)


def test_static_shapes_are_folded() -> None:
    graph = graph_of(shape_of, rt.TensorSpec((2, 3), "float32"))
    assert changed(fold_constants, graph, [np.zeros((2, 3))])
    assert not fold_constants(graph_of(shape_of, rt.TensorSpec((2, None), "float32")))


def test_operands_used_for_their_shape_only_are_dropped() -> None:
    spec = rt.TensorSpec((3, 2), rt.float32)
    for function in (
        lambda x: rt.ones_like(rt.sin(x)),
        lambda x: apply(SUM_TO_LIKE, (x, rt.sin(x[:1]))),
        lambda x: apply(BROADCAST_LIKE, (x, rt.sin(x))),
    ):
        graph = graph_of(function, spec)
        assert changed(fold_constants, graph, [np.ones((3, 2), np.float32)])
        dce(graph)
        assert "sin" not in ops(graph)
    large = rt.TensorSpec((300, 20), rt.float32)
    for function, given in (
        (lambda x: rt.ones_like(x), large),
        (lambda x: apply(BROADCAST_LIKE, (x, rt.sin(x))), large),
        (lambda x: apply(BROADCAST_LIKE, (x, rt.sin(x))), rt.TensorSpec((None,), rt.float32)),
    ):
        assert not fold_constants(graph_of(function, given))
