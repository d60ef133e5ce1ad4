"""Loops on their way through the converters: one that may stop by flags, and its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from autograph.analysis.grammar import ForUntil, WhileUntil
from autograph.converters.node_builders import name, new


def with_until(loop: Any, flag: str | None = None, options: Sequence[Any] = ()) -> Any:
    """Return a loop that also stops once `flag` is set, and has `options` besides its own.

    A `for` becomes a `ForUntil`, a `while` a `WhileUntil`; what the loop has already stays.
    """
    until = [*getattr(loop, "until", ()), *([name(flag, loop)] if flag else [])]
    all_options = [*getattr(loop, "options", ()), *options]
    kind = ForUntil if isinstance(loop, gast.For) else WhileUntil
    fields = {field: getattr(loop, field, None) for field in loop._fields}
    return new(kind, loop, **{**fields, "until": until, "options": all_options})
