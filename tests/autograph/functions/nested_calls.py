"""Asking graphs and Functions about calls of Functions inside of others."""

from __future__ import annotations

from typing import Any

import runtime as rt

one = rt.constant


class Box:
    """An object of a class of the user's."""

    def __init__(self, value: Any) -> None:
        self.value = value


def count(function: Any) -> int:
    return int(function.experimental_get_tracing_count())


def graph_of(function: Any, *args: Any) -> rt.graph.Graph:
    graph: rt.graph.Graph = function.get_concrete_function(*args).graph
    return graph


def calls(function: Any, *args: Any) -> list[str]:
    """The names of the graphs that the graph of a call calls, in branches and loops, too."""
    nodes = graph_of(function, *args).walk()
    return [str(node.attrs["callee"]) for node in nodes if node.op.name == "function_call"]


def agrees(outer: Any, *cases: int) -> None:
    """Calls give the results of the plain function, which calls Functions with eager tensors."""
    for case in cases:
        assert int(outer.python_function(one(case))) == int(outer(one(case)))
