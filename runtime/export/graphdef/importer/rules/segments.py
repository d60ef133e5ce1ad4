"""Import of reductions over segments."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.importer.node_import import NodeImport, Rule


def _segment(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), step.tensor(1))

    return rule


def _unsorted_segment(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        data, ids, known = step.tensor(0), step.tensor(1), step.known(2)
        extra = {}
        if name.endswith("join"):
            extra["separator"] = step.attrs.raw("separator", b"")
        if known is None:
            return step.record(name, data, ids, step.tensor(2), num_segments=None, **extra)
        return step.record(name, data, ids, num_segments=int(known), **extra)

    return rule


_SORTED = ("sum", "mean", "prod", "max", "min")
_UNSORTED = ("sum", "prod", "max", "min", "join")


RULES: dict[str, Rule] = {
    **{f"Segment{how.title()}": _segment(f"segment_{how}") for how in _SORTED},
    **{
        f"UnsortedSegment{how.title()}": _unsorted_segment(f"unsorted_segment_{how}")
        for how in _UNSORTED
    },
}
