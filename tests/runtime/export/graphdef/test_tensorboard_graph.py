"""Graphs drawn for TensorBoard: nothing is refused, and regions are functions."""

from __future__ import annotations

from typing import Any

import autograph as ag
import runtime as rt
from runtime.export.graphdef.messages import GraphDef, NodeDef
from runtime.export.graphdef.tensorboard_graph import display_graph


def drawn(function: Any, *arguments: Any) -> GraphDef:
    return display_graph(ag.function(function).get_concrete_function(*arguments).graph)


def nodes_of(graph: Any) -> dict[str, NodeDef]:
    return {node.name: node for node in graph}


def functions_of(graph: GraphDef) -> dict[str, Any]:
    return {function.signature.name: function for function in graph.library.function}


def check(graph: GraphDef) -> None:
    """Every input is of an earlier node or a parameter, in the body and in each function."""
    functions = functions_of(graph)
    bodies = [(graph.node, set())]
    for function in functions.values():
        parameters = {each.name for each in function.signature.input_arg}
        bodies.append((function.node_def, parameters))
        assert set(function.ret) <= {node.name for node in function.node_def}
    for body, known in bodies:
        for node in body:
            assert {text.lstrip("^").partition(":")[0] for text in node.input} <= known
            known.add(node.name)


def test_a_choice_is_a_node_beside_its_branches() -> None:
    def choose(x: Any) -> Any:
        return x * 2 if x > 0 else rt.abs(x)

    graph = drawn(choose, rt.constant(1))
    check(graph)
    nodes, functions = nodes_of(graph.node), functions_of(graph)
    assert ("If", ["Greater", "cond/then", "cond/else"]) == (
        nodes["cond"].op,
        nodes["cond"].input,
    )
    then, orelse = (functions[nodes[f"cond/{word}"].op] for word in ("then", "else"))
    assert (["x"], ["x"]) == (nodes["cond/then"].input, nodes["cond/else"].input)
    assert ["mul/y", "mul", "Identity"] == [node.name for node in then.node_def]
    assert ["x", "mul/y:output:0"] == nodes_of(then.node_def)["mul"].input
    assert {"Identity": "Identity:output:0"} == dict(orelse.ret)


def test_a_loop_is_a_node_beside_its_test_and_body() -> None:
    def count(n: Any) -> Any:
        i = rt.constant(0)
        while i < n:
            i += 1
        return i

    graph = drawn(count, rt.constant(1))
    check(graph)
    nodes = nodes_of(graph.node)
    assert "While" == nodes["while"].op
    assert {nodes["while/test"].op, nodes["while/body"].op} == set(functions_of(graph))


def test_a_function_called_twice_is_one_function() -> None:
    inner = ag.function(lambda x: x + 1)
    graph = drawn(lambda x: inner(inner(x)), rt.constant(1))
    check(graph)
    (name,) = functions_of(graph)
    assert 2 == [node.op for node in graph.node].count(name)


def test_nodes_without_a_graphdef_are_drawn() -> None:
    variable = rt.Variable(1.0, name="v")
    kept = rt.constant([1.0] * 100)

    def all_sorts(x: Any, items: Any) -> Any:
        try:
            y = 10 // x
        except ZeroDivisionError:
            y = rt.py_function(lambda: 1, [], rt.int32)
        variable.assign_add(rt.random.uniform([]))
        rt.print_(y)
        out = []
        for item in items:
            out.append(f"{item}")
        return y, out, kept

    graph = drawn(all_sorts, rt.constant(1), rt.constant([1, 2]))
    check(graph)
    nodes = nodes_of(graph.node)
    assert "VarHandleOp" == nodes["v"].op
    assert "value" not in nodes["capture"].attr
    assert {"TryExcept", "PrintV2"} < {node.op for node in graph.node}
    assert any(text.startswith("^") for text in nodes["PrintV2"].input)


def test_a_function_that_calls_itself_is_drawn_once() -> None:
    def factorial(n: Any) -> Any:
        if n <= 1:
            return n
        return n * factorial(n - 1)

    graph = drawn(factorial, rt.constant(3))
    check(graph)
    calls = [node.op for each in functions_of(graph).values() for node in each.node_def]
    assert "Call" in calls


def test_nodes_have_shapes_and_lines() -> None:
    graph = drawn(lambda x: x + 1.0, rt.TensorSpec((None, 3), rt.float32))
    attr = nodes_of(graph.node)["add"].attr
    (shape,) = attr["_output_shapes"].list.shape
    assert [-1, 3] == [dim.size for dim in shape.dim]
    assert attr["_origin"].s.startswith(b"test_tensorboard_graph.py:")
