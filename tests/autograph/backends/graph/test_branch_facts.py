"""What is known of flags where something is recorded."""

from __future__ import annotations

import runtime as rt
from autograph.backends.graph.values.branch_facts import is_known_true, known_value, learn
from runtime.graph.graph import Graph


def graph_with_flags(count):
    graph = Graph("facts")
    return graph, [graph.add_input(rt.TensorSpec((), rt.bool), f"f{k}") for k in range(count)]


def test_nothing_is_known_at_first_and_python_values_always_are():
    graph, (flag,) = graph_with_flags(1)
    with graph.recording():
        assert [None, True, False] == [known_value(flag), known_value(True), known_value(False)]


def test_what_was_learned_holds_in_inner_graphs_and_not_outside():
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


def test_the_parts_of_a_conjunction_that_holds():
    graph, (a, b) = graph_with_flags(2)
    with graph.recording():
        learn(graph, rt.logical_and(a, rt.logical_not(b)), True)
        assert (True, False) == (known_value(a), known_value(b))


def test_a_conjunction_that_does_not_hold_says_nothing_of_its_parts():
    graph, (a, b) = graph_with_flags(2)
    with graph.recording():
        learn(graph, rt.logical_and(a, b), False)
        assert (None, None) == (known_value(a), known_value(b))


def test_a_disjunction_that_does_not_hold():
    graph, (a, b) = graph_with_flags(2)
    with graph.recording():
        either = rt.logical_or(a, b)
        learn(graph, either, False)
        assert (False, False, True) == (
            known_value(a),
            known_value(b),
            known_value(rt.logical_not(either)),
        )
