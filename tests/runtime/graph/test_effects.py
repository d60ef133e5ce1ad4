"""Effects and control dependencies of nodes."""

from __future__ import annotations

import itertools

import pytest

from runtime.core.dtypes import bool_
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.graph import Graph, Node, record_cond
from runtime.graph.effects import STRENGTH, strongest
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.op import EFFECTS
from runtime.state.variable import Variable


def names(nodes: tuple[Node, ...]) -> list[str]:
    return [node.name for node in nodes]


def control(graph: Graph) -> dict[str, list[str]]:
    return {node.name: names(node.control) for node in graph}


def test_every_effect_an_op_may_have_is_ranked() -> None:
    assert set(EFFECTS) == set(STRENGTH)


def test_the_strongest_effect_counts() -> None:
    assert strongest([]) == "none"
    for a, b in itertools.product(STRENGTH, repeat=2):
        assert strongest([a, b]) == strongest([b, a]) in (a, b)
    assert strongest(["read", "write", "io"]) == "write"


def test_pure_nodes_have_no_control_dependencies() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec(()), "x")
    with graph.recording():
        print_("before")
        add(x, x)
    assert control(graph) == {"print": [], "add": []}


def test_reads_wait_for_the_last_write_and_writes_for_the_reads_before() -> None:
    graph = Graph("f")
    v = Variable(1.0, name="v")
    with graph.recording():
        v.read_value()
        v.read_value()
        v.assign(2.0)
        v.read_value()
        v.assign_add(1.0)
    assert control(graph) == {
        "read_variable": [],
        "read_variable_1": [],
        "constant": [],
        "assign_variable": ["read_variable", "read_variable_1"],
        "read_variable_2": ["assign_variable"],
        "constant_1": [],
        "assign_add_variable": ["assign_variable", "read_variable_2"],
    }


def test_prints_are_ordered() -> None:
    graph = Graph("f")
    with graph.recording():
        print_("a")
        print_("b")
        print_("c")
    assert control(graph) == {"print": [], "print_1": ["print"], "print_2": ["print_1"]}


def branch(graph: Graph, pred: Tensor, body: object) -> Node:
    then, orelse = Graph("then", graph), Graph("else", graph)
    with then.recording():
        body()  # type: ignore[operator]
    record_cond(pred, then, orelse)
    return graph.nodes[-1]


@pytest.mark.parametrize(
    ("name", "effect"), [("read_value", "read"), ("assign", "write"), ("print", "io")]
)
def test_a_node_has_the_strongest_effect_of_its_regions(name: str, effect: str) -> None:
    graph = Graph("f")
    pred = graph.add_input(TensorSpec((), bool_), "p")
    v = Variable(1.0)
    bodies = {
        "read_value": v.read_value,
        "assign": lambda: v.assign(v.read_value()),
        "print": lambda: print_(v),
    }
    with graph.recording():
        node = branch(graph, pred, bodies[name])
        assert node.effect == graph.effect == effect


def test_a_conditional_read_is_ordered_against_writes_around_it() -> None:
    graph = Graph("f")
    pred = graph.add_input(TensorSpec((), bool_), "p")
    v = Variable(1.0, name="v")
    with graph.recording():
        v.assign(1.0)
        node = branch(graph, pred, v.read_value)
        v.assign(2.0)
    assert names(node.control) == ["assign_variable"]
    assert control(graph)["assign_variable_1"] == ["assign_variable", "cond"]
