"""Liveness: the names that are read later on some path before they are bound again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.activity import Activity
from autograph.analysis.cfg import Cfg
from autograph.analysis.dataflow import Bits, solve_backward
from autograph.analysis.grammar import NamedInThunk
from autograph.syntax.tree import walk
from runtime.core.fork_safety import cached_property

Names = frozenset[str]


class Liveness:
    """The live names of the statements of one function.

    Names that are declared global or nonlocal are always live, since other code reads them. Names
    that nested functions capture are not added here (see `Activity.captured`).
    """

    def __init__(self, cfg: Cfg, activity: Activity) -> None:
        self._cfg = cfg
        self._activity = activity
        self._bits = Bits.of(activity.order)

    @cached_property
    def _before(self) -> list[int]:
        pieces = self._activity.pieces
        accesses = [pieces.get(piece) for piece in self._cfg.pieces]
        reads = [self._bits.mask(access.reads) if access else 0 for access in accesses]
        binds = [self._bits.mask(access.binds) if access else 0 for access in accesses]
        perhaps = self._bits.mask(self._activity.perhaps)
        for at, piece in enumerate(self._cfg.pieces):
            if binds[at] & perhaps:
                binds[at] &= ~self._bits.mask(_bound_perhaps(piece))
        always = self._bits.mask(self._activity.globals | self._activity.nonlocals)

        def transfer(node: int, after: int, raised: int) -> int:
            # An exception may come before the binding.
            return always | reads[node] | (after & ~binds[node]) | raised

        return solve_backward(self._cfg, transfer)

    @cached_property
    def live_at_entry(self) -> Names:
        """The names that may be read before the function has bound them, parameters included."""
        return self._names(self._before[self._cfg.entry])

    def live_out(self, statement: gast.stmt, among: Iterable[str] | None = None) -> Names:
        """Return the names that are live after a statement: its end, a jump or an exception.

        Args:
            statement: the statement.
            among: the names to consider; None for all.

        >>> from autograph.syntax.tree import parse
        >>> from autograph.analysis.activity import activity_of
        >>> from autograph.analysis.cfg import cfg_of
        >>> function = parse("def f(a):\\n  if a: b = c = 1\\n  else: b = 2\\n  return b").body[0]
        >>> liveness = Liveness(cfg_of(function), activity_of(function))
        >>> sorted(liveness.live_out(function.body[0]))
        ['b']
        """
        live = 0
        for node in self._cfg.exits(statement):
            live |= self._before[node]
        return self._names(live, among)

    def live_in_bodies(self, statement: gast.stmt, among: Iterable[str] | None = None) -> Names:
        """Return the names that are live where blocks of a statement begin, or a loop repeats."""
        span = self._cfg.spans[statement]
        live = 0
        for node in (*span.bodies, *((span.head,) if _repeats(statement) else ())):
            live |= self._before[node]
        return self._names(live, among)

    def _names(self, mask: int, among: Iterable[str] | None = None) -> Names:
        if among is not None:
            mask &= self._bits.mask(among)
        return self._bits.members(mask)  # type: ignore[return-value]


def _bound_perhaps(piece: Any) -> set[str]:
    """Return the names that a walrus binds in an operand or branch that Python may skip."""
    return {each.target.id for each in walk(piece) if isinstance(each, NamedInThunk)}


def _repeats(statement: gast.stmt) -> bool:
    return isinstance(statement, (gast.For, gast.While))
