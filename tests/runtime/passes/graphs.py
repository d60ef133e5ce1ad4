"""Small graphs for tests of passes, and functions to run them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import runtime as rt
from autograph import do_not_convert
from runtime.core.tensor import Tensor
from runtime.executors import interpreter
from runtime.graph import Graph, verify
from runtime.passes.prune import prune
from tests.runtime.passes.comparison import run_with, spelled

INT, BOOL, FLOAT = (rt.TensorSpec((), dtype) for dtype in ("int32", "bool", "float32"))
VECTOR = rt.TensorSpec((3,), "float32")


def graph_of(function: Callable[..., Any], *specs: rt.TensorSpec, weak: bool = False) -> Graph:
    """Record a function, which is not converted, and return its graph after `prune`."""
    graph = Graph("f")
    given = [graph.add_input(spec, f"x{at}", weak) for at, spec in enumerate(specs)]
    with graph.recording():
        found = function(*given)
        graph.set_outputs([found] if isinstance(found, Tensor) else found)
    return prune(graph)


def ops(graph: Graph) -> list[str]:
    """Return the ops of a graph and its regions, without constants."""
    return [node.op.name for node in graph.walk() if node.op.name != "constant"]


def changed(run: Callable[[Graph], bool], graph: Graph, *cases: Sequence[Any]) -> bool:
    """Let a pass change a graph; it is verified, and its results stay for each of the cases."""
    before = [spelled(_run(graph, case)) for case in cases]
    found = run(graph)
    verify(graph)
    assert before == [spelled(_run(graph, case)) for case in cases]
    return found


def _run(graph: Graph, case: Sequence[Any]) -> list[Any]:
    with run_with(()):
        specs = [each.spec for each in graph.parameters]
        arrays = [np.array(each, spec.dtype.np_dtype) for each, spec in zip(case, specs)]
        return interpreter.run(graph, arrays)


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as it is: a converted one would be told apart from one that is not."""
    return do_not_convert(function)  # type: ignore[no-any-return]
