"""Lowering of reductions over segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_index


def _segment(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        data, ids = step.inputs
        return step.last(op, data, as_index(step, ids))

    return rule


def _unsorted_segment(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        data, ids, *dims = step.inputs
        if dims:
            count = as_index(step, dims[0])
        else:
            count = step.const(np.array(step.attrs["num_segments"], np.int32), "num_segments")
        return step.last(op, data, as_index(step, ids), count, **_separator(step))

    return rule


def _separator(step: GraphDefNodeLowering) -> dict[str, Any]:
    separator = step.attrs.get("separator")
    return {} if separator is None else {"separator": separator}


RULES: dict[str, Rule] = {
    **{
        f"segment_{how}": _segment(f"Segment{how.title()}")
        for how in ("sum", "mean", "prod", "max", "min")
    },
    **{
        f"unsorted_segment_{how}": _unsorted_segment(f"UnsortedSegment{how.title()}")
        for how in ("sum", "prod", "max", "min", "join")
    },
}
