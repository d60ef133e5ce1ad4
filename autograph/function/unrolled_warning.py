"""Graphs that grew long because a loop of Python's was written out while a function was traced."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

from autograph.backends.graph.program.places import UserPlace
from autograph.errors import UnrolledLoopWarning
from runtime.core.context import Origin
from runtime.graph.graph import Graph

# One operation of the user's, recorded more often than this, is worth a warning.
_MANY = 100


def warn_of_unrolled(graph: Graph) -> None:
    """Warn at the user's line of the expression that a graph holds most often, if that is often."""
    counts: Counter[tuple[Origin, str]] = Counter()
    for each in _with_regions(graph):
        inside = Counter((n.origin, n.op.name) for n in each.nodes if n.origin is not None)
        # A gradient has one line for all that it leads back over.
        for origin, name in list(inside):
            if (origin.filename, origin.line) in each.gone_back_at:
                del inside[origin, name]
        counts |= inside
    if not counts:
        return
    (origin, _), count = max(counts.items(), key=itemgetter(1))
    if count <= _MANY:
        return
    message = (
        f"this was recorded more than {_MANY} times, by a loop over Python values, which takes "
        "long and makes a long graph: go over rt.range(...), or over a tensor, which rt.stack(...) "
        "makes of a list, so that it becomes a loop of the graph"
    )
    if origin.column is not None and origin.end_column is not None:
        columns = origin.column, origin.end_column
        place = UserPlace(origin.filename, origin.line, origin.function, columns)
        message += f"\n  {place.describe()}"
    warnings.warn_explicit(message, UnrolledLoopWarning, origin.filename, origin.line)


def _with_regions(graph: Graph) -> Iterator[Graph]:
    waiting = [graph]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(region for node in each.nodes for region in node.regions)
