"""Finds variables that were created while recording, and that only the graph refers to."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from runtime.graph.capture import Capture
from runtime.graph.graph import Graph


def has_unowned_variables(graph: Graph) -> bool:
    """Return whether only the graph refers to a Variable created while `graph` was recorded.

    Each call of the function would create such a variable, but tracing creates it only once. The
    check drops the graph's references for a moment, and restores those to variables that are still
    alive.
    """
    if not graph.created_variables:
        return False
    made = {id(reference()) for reference in graph.created_variables}
    kept = [
        capture if id(capture.outer) not in made else _weakly(capture) for capture in graph.captures
    ]
    graph.captures, graph._captures_by_id, graph._outer_of = [], {}, {}
    gc.collect()
    restored = [capture if isinstance(capture, Capture) else _strongly(capture) for capture in kept]
    graph.captures = [capture for capture in restored if capture is not None]
    graph._captures_by_id = {id(capture.outer): capture for capture in graph.captures}
    inputs = (*graph.captures, *graph._handle_captures.values())
    graph._outer_of = {id(capture.inner): capture.outer for capture in inputs}
    return len(graph.captures) < len(kept)


def _weakly(capture: Capture) -> tuple[weakref.ref[Any], Any]:
    return weakref.ref(capture.outer), capture.inner


def _strongly(capture: Any) -> Capture | None:
    reference, inner = capture
    outer = reference()
    return None if outer is None else Capture(outer, inner)
