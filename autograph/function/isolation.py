"""Tracing a function on its own while another one is traced: as if that were not going on."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

from autograph.backends.graph.program.namespaces import HANDLED
from autograph.backends.graph.program.reads import READS
from autograph.backends.graph.program.turns import BEFORE, BEFORE_ALL
from autograph.backends.graph.values.scope import AS_LEFT
from autograph.backends.graph.watching.noted import NOTED

Given = TypeVar("Given")

# What the statements around a call say of it, and what they say where there are none.
_OUTSIDE: tuple[tuple[ContextVar[Any], object], ...] = (
    (HANDLED, ()),
    (BEFORE, ()),
    (BEFORE_ALL, ()),
    (AS_LEFT, False),
    (NOTED, None),
    (READS, None),
)


def isolated(run: Callable[[], Given]) -> Given:
    """Return what a function returns that is called outside of the statements being traced.

    >>> isolated(lambda: AS_LEFT.get())
    False
    """

    tokens = [(variable, variable.set(value)) for variable, value in _OUTSIDE]
    try:
        return run()
    finally:
        for variable, token in reversed(tokens):
            variable.reset(token)
