"""Recording: names, results, inputs, and looking into a graph."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from runtime.core.context import current_recorder, recording
from runtime.core.dtypes import float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import DTypeError, GraphError
from runtime.graph import Graph, record_cond
from runtime.ops.constant import constant
from runtime.ops.elementwise.arithmetic import add, multiply

PAIR = TensorSpec((2,), int32)


def test_ops_are_recorded_while_a_graph_records_and_computed_otherwise() -> None:
    graph = Graph("f")
    x = graph.add_input(PAIR, "x")
    with graph.recording():
        assert current_recorder() is graph
        recorded = add(x, x)
    assert current_recorder() is None
    assert isinstance(recorded, SymbolicTensor)
    assert [node.op.name for node in graph] == ["add"]
    assert recorded.node is graph.nodes[0] and recorded.graph is graph
    assert isinstance(add(1, 2), EagerTensor) and len(graph) == 1


def test_names_are_numbered_per_graph_in_order() -> None:
    graph = Graph("f")
    x = graph.add_input(PAIR, "x")
    with graph.recording():
        names = [add(x, x).name, multiply(x, x).name, add(x, x).name, add(x, x).name]
    assert names == ["add:0", "multiply:0", "add_1:0", "add_2:0"]
    assert graph.add_input(PAIR, "x").name == "x_1:0"


def test_a_numbered_user_name_is_not_reused() -> None:
    graph = Graph("f")
    graph.add_input(PAIR, "add_1")
    x = graph.add_input(PAIR, "add")
    with graph.recording():
        names = [add(x, x).name, add(x, x).name]
    assert names == ["add_2:0", "add_3:0"]


def test_constants_are_recorded_too() -> None:
    graph = Graph("f")
    with graph.recording():
        constant([1, 2])
        eager = None
        with recording(None):
            eager = constant([1, 2])
    assert [node.op.name for node in graph] == ["constant"]
    assert isinstance(eager, EagerTensor)


def test_outputs_are_a_list() -> None:
    with pytest.raises(DTypeError, match="outputs must be a list, not 3"):
        Graph("f").set_outputs(3)  # type: ignore[arg-type]


def test_set_outputs_converts_python_values() -> None:
    graph = Graph("f")
    x = graph.add_input(PAIR, "x")
    graph.set_outputs([x, 2.5, [1, 2]])
    assert [(t.dtype.name, t.shape.as_list()) for t in graph.outputs] == [
        ("int32", [2]),
        ("float32", []),
        ("int32", [2]),
    ]


def test_a_node_has_the_origin_of_the_user() -> None:
    graph = Graph("f")
    x = graph.add_input(PAIR, "x")
    with graph.recording():
        line = sys._getframe().f_lineno + 1
        y = add(x, x)
    origin = y.node.origin
    assert origin is not None
    assert (origin.filename, origin.line) == (__file__, line)
    assert origin.function == "test_a_node_has_the_origin_of_the_user"


def test_looking_into_a_graph() -> None:
    graph = Graph("f")
    x = graph.add_input(PAIR, "x")
    with graph.recording():
        y = add(multiply(x, x), add(x, x))
    assert len(graph) == 3 and bool(Graph("empty"))
    assert [node.name for node in graph.get_nodes_by_op("add")] == ["add", "add_1"]
    assert graph.node("add_1") is y.node
    with pytest.raises(KeyError, match="no node 'sub' in graph 'f'"):
        graph.node("sub")
    assert repr(graph) == "<Graph 'f': 1 inputs, 3 nodes, 0 outputs>"
    assert repr(y.node) == "<Node 'add_1': add(multiply:0, add:0)>"


def test_walk_visits_regions_right_after_their_node() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((), int32), "x")
    with graph.recording():
        regions = []
        for name in ("then", "else"):
            region = Graph(name, graph)
            with region.recording():
                region.set_outputs([add(x, x) if name == "then" else multiply(x, x)])
            regions.append(region)
        record_cond(constant(True), *regions)
        add(x, x)
    ops = [node.op.name for node in graph.walk()]
    assert ops == ["constant", "cond", "add", "multiply", "add"]


def test_inputs_are_the_parameters_then_the_captures() -> None:
    graph = Graph("f")
    outside = constant([1, 2])
    x = graph.add_input(PAIR, "x")
    with graph.recording():
        add(x, outside)
    y = graph.add_input(TensorSpec((), float32), "y")
    assert [id(t) for t in graph.parameters] == [id(x), id(y)]
    assert [t.name for t in graph.inputs] == ["x:0", "y:0", "capture:0"]
    np.testing.assert_array_equal(graph.captures[0].outer.numpy(), [1, 2])


def test_a_finished_region_refuses_nodes() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((), int32), "x")
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        then.set_outputs([x])
        orelse.set_outputs([x])
        record_cond(constant(True), then, orelse)
    with pytest.raises(GraphError, match="'then' is a finished region"):
        with then.recording():
            add(1, 2)
