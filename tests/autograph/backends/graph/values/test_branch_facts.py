"""Flags whose values are known in branches."""

from __future__ import annotations

import runtime as rt
from autograph.backends.graph.values.branch_facts import is_known_true, known_value, learn
from runtime.graph.graph import Graph


def graph_with_flags(count):
    graph = Graph("facts")
    return graph, [graph.add_input(rt.TensorSpec((), rt.bool), f"f{k}") for k in range(count)]


def test_python_values_are_known_and_new_flags_are_not():
    graph, (flag,) = graph_with_flags(1)
    with graph.recording():
        assert [None, True, False] == [known_value(flag), known_value(True), known_value(False)]


def test_facts_hold_in_inner_graphs_only():
    graph, (flag,) = graph_with_flags(1)
    inner = Graph("inner", graph)
    learn(inner, flag, True)
    with inner.recording():
        assert is_known_true(flag)
    with graph.recording():
        assert known_value(flag) is None
    learn(graph, flag, False)
    with Graph("other", graph).recording():
        assert known_value(flag) is False


def test_a_true_conjunction_implies_its_operands():
    graph, (a, b) = graph_with_flags(2)
    with graph.recording():
        learn(graph, rt.logical_and(a, rt.logical_not(b)), True)
        assert (True, False) == (known_value(a), known_value(b))


def test_a_false_conjunction_implies_nothing_of_its_operands():
    graph, (a, b) = graph_with_flags(2)
    with graph.recording():
        learn(graph, rt.logical_and(a, b), False)
        assert (None, None) == (known_value(a), known_value(b))


def test_a_false_disjunction_negates_its_operands():
    graph, (a, b) = graph_with_flags(2)
    with graph.recording():
        either = rt.logical_or(a, b)
        learn(graph, either, False)
        assert (False, False, True) == (
            known_value(a),
            known_value(b),
            known_value(rt.logical_not(either)),
        )
