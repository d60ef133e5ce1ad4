"""Refusal of nodes that may raise inside a `try` that only Python can execute.

Such a `try` is an `except*`, or one around a `yield`. Its handlers would never run, so a node that
may raise there is refused when it is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.source.source_location import user_location
from autograph.errors import StagingError
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.may_raise import Kinds, may_be
from runtime.graph.try_region import TryGraph
from runtime.ops.op import Op

Classes = Callable[[], Any]


class UncatchableGuard:
    """Refuses nodes that may raise one of some classes at run time.

    Args:
        classes: returns the classes; each a class, a tuple of classes, or None for all.
        message: the reason and the remedy.

    Raises:
        StagingError: a node is recorded that may raise one.
    """

    def __init__(self, classes: Classes, message: str) -> None:
        self._classes, self._message = classes, message
        self._recording: Any = None

    def __enter__(self) -> None:
        outer = current_recorder()
        if isinstance(outer, Graph):
            self._recording = TryGraph("python", outer, self).recording()
            self._recording.__enter__()

    def __exit__(self, *error: Any) -> None:
        if self._recording is not None:
            self._recording.__exit__(*error)

    def before_node(
        self,
        graph: Graph,
        op: Op,
        inputs: Sequence[rt.Tensor],
        attrs: Mapping[str, Any],
        kinds: Kinds,
    ) -> None:
        """Refuse a node whose exception Python would miss."""
        if may_be(kinds, self._wanted()):
            raise StagingError(self._message, user_location())

    def catches(self, kinds: Kinds) -> bool:
        """Return False: the guard catches no exception."""
        return False

    def _wanted(self) -> list[type[BaseException]]:
        wanted: list[type[BaseException]] = []
        for each in self._classes():
            kinds = each if isinstance(each, tuple) else (each,)
            wanted += [BaseException if kind is None else kind for kind in kinds]
        return [kind for kind in wanted if isinstance(kind, type)]
