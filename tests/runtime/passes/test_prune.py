"""Pruning keeps the nodes that outputs and effects need, and no others."""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import bool_, int32
from runtime.core.spec import TensorSpec
from runtime.executors import run
from runtime.graph import Graph, record_cond, verify
from runtime.ops.constant import constant
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import add, multiply
from runtime.passes import prune
from runtime.passes.prune import needs_of
from runtime.state.variable import Variable
from tests.runtime.graph.programs import INT, cond_in_while_in_cond


def names(graph: Graph) -> list[str]:
    return [node.name for node in graph]


def test_unused_pure_nodes_are_removed_in_a_copy() -> None:
    graph = Graph("f")
    x = graph.add_input(INT, "x")
    with graph.recording():
        dead = add(x, x)
        multiply(dead, dead)
        graph.set_outputs([add(x, 1)])
    pruned = verify(prune(graph))
    assert names(pruned) == ["constant", "add_1"]
    assert names(graph) == ["add", "multiply", "constant", "add_1"]
    assert [t.name for t in pruned.parameters] == ["x:0"]


def test_effects_stay_and_unused_reads_are_removed() -> None:
    graph = Graph("f")
    v = Variable(1.0, name="v")
    with graph.recording():
        v.read_value()
        v.assign(2.0)
        v.read_value()
        print_("hello")
    pruned = verify(prune(graph))
    assert names(pruned) == ["constant", "assign_variable", "print"]
    assert [node.name for node in pruned.node("print").control] == ["assign_variable"]


def test_unused_captures_are_removed() -> None:
    graph = Graph("f")
    used, unused = constant(1), constant(2)
    x = graph.add_input(INT, "x")
    with graph.recording():
        add(x, unused)
        graph.set_outputs([add(x, used)])
    pruned = verify(prune(graph))
    assert [held.outer for held in pruned.captures][0] is used
    assert [t.name for t in pruned.inputs] == ["x:0", "capture_1:0"]


def test_regions_are_pruned_and_their_operands_with_them() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    x = graph.add_input(INT, "x")
    with graph.recording():
        costly = multiply(x, x)
        kept = add(x, 5)
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            add(costly, costly)
            then.set_outputs([add(kept, kept)])
        orelse.set_outputs([kept])
        graph.set_outputs(record_cond(p, then, orelse))
    pruned = verify(prune(graph))
    assert names(pruned) == ["constant", "add", "cond"]
    cond = pruned.node("cond")
    assert [t.name for t in cond.inputs] == ["p:0", "add:0"]
    assert [names(region) for region in cond.regions] == [["add_2"], []]
    for value in (True, False):
        arguments = [np.array(value), np.array(2, np.int32)]
        assert run(pruned, arguments) == run(graph, arguments) == [14 if value else 7]


def test_an_unused_conditional_with_an_effect_stays() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    with graph.recording():
        for has_effect in (False, True):
            then, orelse = Graph("then", graph), Graph("else", graph)
            with then.recording():
                if has_effect:
                    print_("yes")
                then.set_outputs([1])
            orelse.set_outputs([2])
            record_cond(p, then, orelse)
    assert names(verify(prune(graph))) == ["cond_1"]


def test_weakness_names_and_origins_survive() -> None:
    graph = cond_in_while_in_cond()
    pruned = verify(prune(graph))
    before = {node.name: node for node in needs_of(graph).nodes}
    for node in pruned:
        assert node.origin == before[node.name].origin
    assert [n.name for n in pruned.walk()] == [n.name for n in graph.walk()]
    weak = Graph("g")
    x = weak.add_input(TensorSpec((), int32), "x", weak=True)
    with weak.recording():
        weak.set_outputs([add(x, 1)])
    assert weak.outputs[0].weak and prune(weak).outputs[0].weak


def test_pruning_is_idempotent() -> None:
    once = prune(cond_in_while_in_cond())
    assert prune(once).as_text() == once.as_text()
