"""CSE merges equal nodes, across regions, but not across writes of variables."""

from __future__ import annotations

import runtime as rt
from runtime.executors.executor import run_graph
from runtime.graph import Graph, record_cond
from runtime.graph.capture import Capture
from runtime.ops.effects.variables import ASSIGN_VARIABLE, READ_VARIABLE, HandleSpec
from runtime.passes.cse import cse
from runtime.passes.dce import dce
from runtime.state.variable import Variable
from tests.runtime.passes.graphs import BOOL, INT, changed, graph_of, ops, plain


def test_equal_nodes_become_one() -> None:
    graph = graph_of(lambda x: (x + 1) * (x + 1), INT)
    assert changed(cse, graph, [3])
    assert ["add", "multiply"] == ops(graph)


def test_attributes_are_compared_bit_by_bit() -> None:
    graph = graph_of(lambda x: (x + 0.0, x + -0.0), rt.TensorSpec((), "float32"))
    assert not changed(cse, graph, [-0.0])


def test_a_branch_reuses_outer_values() -> None:
    def f(p, x, y):
        total = x + y
        inner = plain(lambda: rt.cond(p, lambda: x + y, lambda: (x + y) * 2))
        return total, rt.cond(p, inner, lambda: y)

    graph = graph_of(f, BOOL, INT, INT)
    assert changed(cse, graph, [True, 1, 2], [False, 1, 2])
    assert ["add", "cond", "cond", "multiply"] == ops(graph)


def test_values_of_one_branch_are_not_reused_in_the_other() -> None:
    graph = graph_of(lambda p, x: rt.cond(p, lambda: x * x, lambda: x * x), BOOL, INT)
    assert not changed(cse, graph, [True, 3], [False, 3])


def test_nodes_that_raise_are_merged() -> None:
    graph = graph_of(lambda x, y: (x // y, x // y), INT, INT)
    assert changed(cse, graph, [7, 2])
    assert ["floordiv"] == ops(graph)


def test_duplicate_captures_are_merged() -> None:
    graph = Graph("f")
    p, x = graph.add_input(BOOL, "p"), graph.add_input(INT, "x")
    with graph.recording():
        y = x + x
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            then.set_outputs([x * y])
        orelse.set_outputs([x])
        (found,) = record_cond(p, then, orelse)
        graph.set_outputs([found])
    node = found.node
    node.inputs = (p, x, x)
    for region in node.regions:
        region.finish([Capture(x, held.inner) for held in region.captures])
    assert changed(cse, graph, [True, 3], [False, 3])
    dce(graph)
    assert (p, x) == node.inputs


def test_a_variable_is_read_once_until_it_may_have_changed() -> None:
    variable = Variable(1.0, name="v")

    def f():
        first, second = variable.read_value(), variable.read_value()
        variable.assign_add(5.0)
        return first, second, variable.read_value()

    graph = graph_of(f)
    assert cse(graph)
    assert 2 == ops(graph).count("read_variable")


def test_a_variable_that_a_loop_changes_is_read_in_each_iteration() -> None:
    variable = Variable(1.0, name="v")

    def f(n):
        first = variable.read_value()

        @plain
        def loop_body(i, s):
            before = variable.read_value()
            variable.assign(before * 2.0)
            return i + 1, s + before + variable.read_value()

        _, total = rt.while_loop(plain(lambda i, s: i < n), loop_body, [0, first])
        return total, variable.read_value()

    graph = graph_of(f, INT)
    cse(graph)
    assert 3 == ops(graph).count("read_variable")


def test_random_ops_are_not_merged() -> None:
    graph = graph_of(lambda: (rt.random.uniform([2]), rt.random.uniform([2])))
    cse(graph)
    assert 2 == ops(graph).count("random_uniform")


def test_an_assigned_value_replaces_later_reads() -> None:
    v, w = Variable(1.0, name="v"), Variable(2.0, name="w")

    def f(p, x):
        v.assign(x)
        first = v.read_value()
        w.assign(first + v.read_value())
        inside = plain(lambda: rt.cond(p, lambda: v.read_value(), lambda: w.read_value()))
        return inside(), v.read_value(), w.read_value()

    graph = graph_of(f, BOOL, rt.TensorSpec((), "float32"))
    assert changed(cse, graph, [True, 3.0], [False, 4.0])
    assert 0 == ops(graph).count("read_variable")


def test_a_variable_assigned_in_one_branch_is_read_again() -> None:
    v = Variable(1.0, name="v")

    def f(p, x):
        v.assign(1.0)
        v.assign_add(x)
        first = v.read_value()

        @plain
        def then():
            v.assign(x)
            return v.read_value()

        found = rt.cond(p, then, plain(lambda: v.read_value()))
        return first, found, v.read_value()

    graph = graph_of(f, BOOL, rt.TensorSpec((), "float32"))
    assert changed(cse, graph, [True, 3.0], [False, 3.0])
    assert 2 == ops(graph).count("read_variable")


def test_variables_that_are_arguments_may_be_one() -> None:
    graph = Graph("f")
    spec = HandleSpec((), rt.float32)
    v, w = graph.add_input(spec, "v"), graph.add_input(spec, "w")
    with graph.recording():
        graph.record(ASSIGN_VARIABLE, (v, rt.constant(1.0)), {})
        graph.record(ASSIGN_VARIABLE, (w, rt.constant(2.0)), {})
        graph.set_outputs(graph.record(READ_VARIABLE, (v,), {}))
    cse(graph)
    assert 1 == ops(graph).count("read_variable")
    only = Variable(0.0)
    assert [2.0] == run_graph(graph, [only, only])
