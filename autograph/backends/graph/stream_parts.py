"""What an iterator over tensors may have as its parts: tensors, and lists of unknown length."""

from __future__ import annotations

import runtime as rt
from autograph.backends.graph.staged_items import is_staged
from autograph.backends.graph.staged_list import StagedList


def is_tensor(value: object) -> bool:
    """Tell whether a value is a tensor or a Variable."""
    return isinstance(value, (rt.Tensor, rt.Variable))


def staged_list(part: object) -> StagedList | None:
    """Return a list of unknown length as what staged code meets; None for anything else."""
    if isinstance(part, StagedList):
        return part
    return StagedList(part) if isinstance(part, list) and is_staged(part) else None
