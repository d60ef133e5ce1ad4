"""Regions: tracing one body of a statement into a graph."""

from __future__ import annotations

from collections.abc import Callable

from autograph.backends.graph.aliases.proxies import flush_region
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.speculation import ends_speculation
from autograph.backends.graph.tracing.trace_exceptions import becomes_node, check_cause, stage_error
from autograph.backends.graph.values.value_spec import UNREACHED
from autograph.errors import NestingError
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph

# Deeper nesting comes from recursion that tracing would follow for ever.
_DEEPEST = 80


class UnreachableEnd(BaseException):
    """Raised where the end of the traced body is unreachable."""


def parameter_name(name: str) -> str:
    """Return the node name of a variable: names such as `o.x` have characters that node names lack.

    >>> parameter_name("d['k']")
    'd__k'
    """
    return "".join(c if c.isalnum() or c == "_" else "_" for c in name).strip("_") or "value"


def is_recording_anything(recorder: object) -> bool:
    """Return whether the outermost graph around the recorded one has inputs or nodes.

    The graph of a trace counts as one that has, since none of its nodes has run yet.
    """
    graph = recorder if isinstance(recorder, Graph) else None
    while graph is not None and graph.outer is not None:
        graph = graph.outer
    if graph is None:
        return False
    return bool(graph.is_self_contained or graph.parameters or graph.captures or graph.nodes)


def new_region(name: str) -> Graph:
    """Return an empty graph inside the one being recorded.

    Raises:
        NestingError: there are too many graphs around it.
    """
    outer = current_recorder()
    assert isinstance(outer, Graph), "a statement is staged only while a graph is recorded"
    if _depth(outer) >= _DEEPEST:
        raise NestingError(
            f"staged statements are nested {_DEEPEST} deep here: recursion that only a tensor "
            "could end cannot be traced; write it as a loop, or bound it by a Python number; if "
            "it is a long expression, write it as `if` and `elif` statements, or in several",
            user_location(),
        )
    return Graph(name, outer=outer)


def _depth(graph: Graph | None) -> int:
    depth = 0
    while graph is not None:
        graph, depth = graph.outer, depth + 1
    return depth


def run_body(body: Callable[[], None]) -> bool:
    """Trace `body` into the current graph; return whether its end is reached.

    An exception does not stop the trace, since a run may not take the path: a node is recorded that
    raises it. Only errors about the tracing itself, and interrupts, propagate.
    """
    try:
        body()
        flush_region()
    except UnreachableEnd:
        return False
    except BaseException as error:
        if not becomes_node(error) or ends_speculation(error):
            check_cause(error)
            raise
        stage_error(error)
        return False
    return True


def values_at_end(reached: bool, values: tuple[object, ...]) -> tuple[object, ...]:
    """Return the final values of a body: `UNREACHED` for all if its end is not reached."""
    return values if reached else (UNREACHED,) * len(values)
