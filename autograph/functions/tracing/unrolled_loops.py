"""A warning about loops over Python values that make long graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import UnrolledLoopWarning
from runtime.core.context import Origin
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import warn_at
from runtime.graph.graph import Graph

number_of_operands = lazy_import("runtime.diagnostics.operand_names:number_of_operands")
covering_of = lazy_import("autograph.functions.trace_cache.retrace_causes:covering_of")
latest_retrace = lazy_import("autograph.functions.trace_cache.retrace_causes:latest_retrace")


# An expression that is recorded more often than this causes a warning.
_MANY = 100


def warn_of_unrolled(graph: Graph) -> None:
    """Warn at the user's line of the expression that a graph repeats most, if that is often."""
    counts: Counter[tuple[Origin, object, str]] = Counter()
    for each in _with_regions(graph):
        if len(each.nodes) <= _MANY:
            continue
        # A line may have many expressions alike, each of its own instruction.
        counts |= Counter(
            (n.origin, n.origin.instruction, n.op.name)
            for n in each.nodes
            # The line of a gradient has all operations of the gradient.
            if n.origin is not None
            and (n.origin.filename, n.origin.line) not in each.gradient_lines
        )
    if not counts:
        return
    (origin, _, _), count = max(counts.items(), key=itemgetter(1))
    if count <= _MANY or number_of_operands(origin) >= count:
        return
    message = (
        f"this was recorded more than {_MANY} times, by a loop over Python values, which takes "
        "long and makes a long graph: iterate over rt.range(...), or over a tensor, which "
        "rt.stack(...) makes of a list, so that it becomes a loop of the graph"
    )
    if origin.column is not None and origin.end_column is not None:
        columns = origin.column, origin.end_column
        place = SourceLocation(origin.filename, origin.line, origin.function, columns)
        message += f"\n  {place.describe()}"
    warn_at(origin, message, UnrolledLoopWarning)


def _with_regions(graph: Graph) -> Iterator[Graph]:
    waiting = [graph]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(region for node in each.nodes for region in node.regions)
