"""`verify` accepts recorded graphs and refuses every kind of damage."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runtime.core.dtypes import bool_, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError
from runtime.graph import Capture, Graph, record_cond, verify
from runtime.graph.node import Node
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import ADD, add
from tests.runtime.graph.programs import INT, cond_in_while_in_cond


def small_graph() -> Graph:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    x = graph.add_input(INT, "x")
    with graph.recording():
        y = add(x, x)
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            then.set_outputs([add(x, y)])
        orelse.set_outputs([x])
        (z,) = record_cond(p, then, orelse)
        print_(z)
        print_(y)
    graph.set_outputs([z])
    return graph


def test_recorded_graphs_are_well_formed() -> None:
    graph = small_graph()
    assert verify(graph) is graph
    verify(cond_in_while_in_cond())


def swap_nodes(graph: Graph) -> None:
    graph.nodes[0], graph.nodes[1] = graph.nodes[1], graph.nodes[0]


def take_foreign_operand(graph: Graph) -> None:
    other = Graph("g").add_input(INT, "x")
    graph.node("add").inputs = (other, other)


def give_a_name_twice(graph: Graph) -> None:
    graph.node("print_1").name = "print"


def change_a_dtype(graph: Graph) -> None:
    node = graph.node("add")
    node.outputs[0].spec = TensorSpec((), "float32")


def claim_a_wider_shape(graph: Graph) -> None:
    graph.node("add").outputs[0].spec = TensorSpec(None, int32)


def drop_a_result(graph: Graph) -> None:
    graph.node("add").outputs = ()


def return_a_foreign_tensor(graph: Graph) -> None:
    graph.outputs = [Graph("g").add_input(INT, "x")]


def drop_a_control_edge(graph: Graph) -> None:
    graph.node("print_1").control = ()


def wait_for_a_later_node(graph: Graph) -> None:
    graph.node("print").control = (graph.node("print_1"),)


def weaken_an_effect(graph: Graph) -> None:
    graph.node("print").effect = "none"


def rename_a_capture(graph: Graph) -> None:
    region = graph.node("cond").regions[0]
    outer, inner = region.captures[0]
    region.captures[0] = Capture(graph.node("cond").outputs[0], inner)


def adopt_a_region(graph: Graph) -> None:
    graph.node("cond").regions[0].outer = Graph("g")


def forget_an_operand(graph: Graph) -> None:
    node = graph.node("cond")
    node.inputs = node.inputs[:-1]


def break_inside_a_region(graph: Graph) -> None:
    graph.node("cond").regions[0].nodes.clear()


def clash_with_an_input(graph: Graph) -> None:
    node = Node(9, "x", ADD, (), {})
    node.inputs = (graph.parameters[1],) * 2
    node.outputs = (SymbolicTensor(graph, node, 0, INT),)
    graph.nodes.append(node)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (swap_nodes, "node 'cond' .*before it is computed"),
        (take_foreign_operand, "node 'add' .*of another graph, 'g'"),
        (give_a_name_twice, "'print' .*used twice"),
        (clash_with_an_input, "'x' .*used twice"),
        (change_a_dtype, "node 'add' .*yields .*float32.*infers .*int32"),
        (claim_a_wider_shape, "node 'add' .*yields .*infers"),
        (drop_a_result, "node 'add' .*0 results, its op infers 1"),
        (return_a_foreign_tensor, "'f' returns .*does not compute"),
        (drop_a_control_edge, "'print_1' .*must run after 'print'"),
        (wait_for_a_later_node, "'print' .*does not run before it"),
        (weaken_an_effect, "'print' .*marked 'none' but has the effect 'io'"),
        (rename_a_capture, "'cond' .*captures of 'then'"),
        (adopt_a_region, "'cond' .*owns 'then'"),
        (forget_an_operand, "'cond' .*captures"),
        (break_inside_a_region, "'then' returns .*does not compute"),
    ],
)
def test_damage_is_found(damage: Callable[[Graph], None], message: str) -> None:
    graph = small_graph()
    damage(graph)
    with pytest.raises(GraphError, match=message):
        verify(graph)


def test_the_error_shows_the_users_line() -> None:
    graph = small_graph()
    change_a_dtype(graph)
    with pytest.raises(GraphError) as caught:
        verify(graph)
    assert f"at {__file__}:" in str(caught.value)


def test_a_narrower_shape_than_inferred_is_valid() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((None,), int32), "x")
    with graph.recording():
        y = add(x, x)
    y.spec = TensorSpec((4,), int32)  # type: ignore[attr-defined]
    verify(graph)
