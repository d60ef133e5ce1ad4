"""Graphs of functions that are written with control flow, for tests of executors."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from runtime.core.item_list import ItemList
from runtime.core.variant import unboxed
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from runtime.graph.graph import Graph

# A program is traced once for all arguments of a kind.
_staged = lru_cache(maxsize=8)(ag.function)


def graph_of(function: Callable[..., Any], *arguments: Any) -> Graph:
    """Trace a function for some arguments, which become tensors."""
    tensors = [rt.constant(each) for each in arguments]
    return ag.function(function).get_concrete_function(*tensors).graph


def source_of(function: Callable[..., Any], *arguments: Any) -> str:
    """Return the source that a function is printed as."""
    return printed_function(graph_of(function, *arguments)).source


def body_of(function: Callable[..., Any], *arguments: Any) -> str:
    """Return the printed lines of a function below its header."""
    return source_of(function, *arguments).split(":\n", 1)[1]


def both(function: Callable[..., Any], *arguments: Any) -> tuple[Any, Any]:
    """Run a function as a printed one, and by the interpreter."""
    tensors = [rt.constant(each) for each in arguments]
    graph = _staged(function).get_concrete_function(*tensors).graph
    arrays = [rt.constant(each)._array for each in arguments]  # type: ignore[attr-defined]
    return outcome(printed_function(graph).run, arrays), outcome(
        lambda given: run(graph, given), arrays
    )


def outcome(run_one: Callable[[Any], Any], arrays: list[Any]) -> Any:
    """Return the results or the error of a run, so that two can be compared to the last bit."""
    try:
        results = run_one([np.array(each) for each in arrays])
    except Exception as error:
        return type(error), str(error), str(getattr(error, "origin", ""))
    return [(each.dtype, each.shape, _contents(each)) for each in results]


def _contents(array: Any) -> Any:
    held = unboxed(array) if array.dtype.kind == "V" and array.ndim == 0 else None
    if not isinstance(held, ItemList):
        return array.tobytes()
    return [[(leaf.dtype, leaf.shape, _contents(leaf)) for leaf in item] for item in held]
