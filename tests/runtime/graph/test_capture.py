"""Captures: outer tensors become inputs, level by level and only when used."""

from __future__ import annotations

import pytest

from runtime.core.dtypes import bool_, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import OutOfScopeError
from runtime.graph import Graph, record_cond
from runtime.ops.constant import constant
from runtime.ops.elementwise.arithmetic import add
from runtime.state.variable import Variable

SCALAR = TensorSpec((), int32)


def outer_graph() -> tuple[Graph, Tensor, Tensor]:
    graph = Graph("f")
    return graph, graph.add_input(TensorSpec((), bool_), "p"), graph.add_input(SCALAR, "x")


def test_the_same_eager_tensor_is_captured_once() -> None:
    graph, _, x = outer_graph()
    outside, other = constant(1), constant(1)
    with graph.recording():
        first, second = add(x, outside), add(outside, x)
        add(x, other)
    assert first.node.inputs[1] is second.node.inputs[0]
    assert [held.outer for held in graph.captures][0] is outside
    assert [t.name for t in graph.inputs] == ["p:0", "x:0", "capture:0", "capture_1:0"]


def test_a_discarded_region_leaves_no_captures() -> None:
    graph, _, x = outer_graph()
    outside, variable = constant(1), Variable(2)
    with graph.recording():
        region = Graph("then", graph)
        with region.recording():
            add(add(x, outside), variable)
    assert (len(graph), graph.captures) == (0, [])
    assert graph.effect == "none"


def test_captures_of_both_branches_become_aligned_operands() -> None:
    graph, p, x = outer_graph()
    y = graph.add_input(SCALAR, "y")
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            then.set_outputs([add(x, x)])
        with orelse.recording():
            orelse.set_outputs([add(y, x)])
        (z,) = record_cond(p, then, orelse)
    assert [t.name for t in z.node.inputs] == ["p:0", "x:0", "y:0"]
    assert [t.name for t in then.inputs] == [t.name for t in orelse.inputs] == ["x:0", "y:0"]
    for region in (then, orelse):
        assert [id(outer) for outer, _ in region.captures] == [id(t) for t in z.node.inputs[1:]]


def test_nested_regions_pass_captures_down_level_by_level() -> None:
    graph, p, x = outer_graph()
    outside = constant(5)
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            inner, other = Graph("then", then), Graph("else", then)
            with inner.recording():
                inner.set_outputs([add(x, outside)])
            other.set_outputs([x])
            then.set_outputs(record_cond(p, inner, other))
        orelse.set_outputs([x])
        record_cond(p, then, orelse)
    assert [outer for outer, _ in graph.captures][0] is outside
    for region in (inner, other):
        assert all(outer.graph is then for outer, _ in region.captures)
    assert all(outer.graph is graph for outer, _ in then.captures)
    assert sorted(t.name for t in then.inputs) == ["capture:0", "p:0", "x:0"]


def test_a_captured_weak_tensor_stays_weak() -> None:
    graph = Graph("f")
    x = graph.add_input(SCALAR, "x", weak=True)
    region = Graph("then", graph)
    assert region.capture(x).weak
    assert not region.capture(graph.add_input(SCALAR, "y")).weak


def test_a_tensor_of_a_sibling_region_is_out_of_scope() -> None:
    graph, p, x = outer_graph()
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            leaked = add(x, x)
        with orelse.recording(), pytest.raises(OutOfScopeError) as caught:
            add(leaked, x)
    message = str(caught.value)
    assert "belongs to 'then', which 'else' is not part of" in message
    assert "return it from" in message and f"at {__file__}:" in message


def test_a_tensor_of_an_inner_region_is_out_of_scope_outside() -> None:
    graph, _, x = outer_graph()
    with graph.recording():
        then = Graph("then", graph)
        with then.recording():
            leaked = add(x, x)
        with pytest.raises(OutOfScopeError, match="'then'"):
            add(leaked, 1)


def test_a_tensor_of_a_finished_graph_is_out_of_scope_eagerly() -> None:
    graph, _, x = outer_graph()
    with graph.recording():
        leaked = add(x, x)
    with pytest.raises(OutOfScopeError):
        add(leaked, 1)


def test_a_variable_is_captured_as_a_handle() -> None:
    graph, _, x = outer_graph()
    variable = Variable([1.0, 2.0], name="weights")
    with graph.recording():
        value = variable.read_value()
    ((outer, inner),) = graph.captures
    assert outer is variable
    assert inner.name == "weights:0" and inner.shape == (2,)
    assert [t.name for t in value.node.inputs] == ["weights:0"]
