"""Variables that were created while recording, and that only the graph refers to."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from runtime.graph.capture import Capture
from runtime.graph.graph import Graph


def has_forgotten_variables(graph: Graph) -> bool:
    """Return whether only the graph refers to a Variable created while `graph` was recorded.

    Each call of the recorded function would create such a variable, but the recording creates it
    only once. To find out, the graph releases its variables for a moment, and takes back those
    still alive.
    """
    if not graph.created_variables:
        return False
    made = {id(reference()) for reference in graph.created_variables}
    kept = [held if id(held.outer) not in made else _weakly(held) for held in graph.captures]
    graph.captures, graph._held, graph._outer_of = [], {}, {}
    gc.collect()
    restored = [held if isinstance(held, Capture) else _strongly(held) for held in kept]
    graph.captures = [held for held in restored if held is not None]
    graph._held = {id(held.outer): held for held in graph.captures}
    inputs = (*graph.captures, *graph._given.values())
    graph._outer_of = {id(held.inner): held.outer for held in inputs}
    return len(graph.captures) < len(kept)


def _weakly(held: Capture) -> tuple[weakref.ref[Any], Any]:
    return weakref.ref(held.outer), held.inner


def _strongly(held: Any) -> Capture | None:
    reference, inner = held
    outer = reference()
    return None if outer is None else Capture(outer, inner)
