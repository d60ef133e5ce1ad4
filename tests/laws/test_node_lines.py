"""Every node of a trace has a line of the user's, also one that stands for a jump."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import runtime as rt
from runtime.graph.callee import called_graphs
from runtime.graph.node import Node
from tests.corpus import STAGED_PROGRAMS
from tests.each import for_each
from tests.suite_length import sample
from tests.traces import staged


def return_in_while(n: Any) -> Any:
    while n > 0:
        n -= 1
        if n == 3:
            return n
    return -1


def break_in_for(n: Any) -> Any:
    total = n
    for i in range(n):
        if i == 3:
            break
        total += i
    else:
        total = -total
    return total


def continue_in_while(n: Any) -> Any:
    total = 0
    while n > 0:
        n -= 1
        if n % 2 == 0:
            continue
        total += n
    return total


def _nodes(graph: rt.Graph) -> list[Node]:
    return [
        node for each in (graph, *(c.graph for c in called_graphs(graph))) for node in each.walk()
    ]


def _statements(function: Callable[..., Any]) -> range:
    lines, first = inspect.getsourcelines(function)
    return range(first + 1, first + len(lines))


def test_nodes_of_jumps_have_lines_of_their_function() -> None:
    for function in (return_in_while, break_in_for, continue_in_while):
        graph = ag.function(function).get_concrete_function(rt.constant(5)).graph
        lines = {node.origin.line for node in _nodes(graph) if node.origin is not None}
        assert lines <= set(_statements(function))


def test_a_guard_has_the_line_of_the_statement_that_it_guards() -> None:
    graph = ag.function(return_in_while).get_concrete_function(rt.constant(5)).graph
    (guard,) = [node for node in graph.nodes if node.op.name == "logical_not"]
    assert guard.origin is not None
    assert _statements(return_in_while)[-1] == guard.origin.line


def test_calls_of_operator_have_the_line_of_the_call() -> None:
    def added(x: Any) -> Any:
        return operator.add(x, 1)

    graph = ag.function(added).get_concrete_function(rt.constant(5)).graph
    assert {_statements(added)[-1]} == {n.origin.line for n in graph.nodes if n.origin is not None}
    assert {__file__} == {n.origin.filename for n in graph.nodes if n.origin is not None}


def test_lines_of_an_explanation_add_up_to_its_nodes() -> None:
    explained = ag.explain(return_in_while, rt.constant(5))
    counts = [line.nodes or 0 for each in explained.functions for line in each.lines]
    assert explained.nodes == sum(counts)


@for_each("program", sample(STAGED_PROGRAMS, 50), ids=lambda program: program.id)
def test_nodes_of_programs_have_lines(program: Any) -> None:
    lacking = [
        node.name
        for node in _nodes(staged(program).graph)
        if node.origin is None or node.origin.line not in _lines(node.origin.filename)
    ]
    assert [] == lacking


def _lines(filename: str) -> range:
    """Return the lines of a file; the texts that the corpus gives `exec` have two at most."""
    if filename == "<string>":
        return range(1, 3)
    return range(1, 1 + len(Path(filename).read_text(encoding="utf-8").splitlines()))
